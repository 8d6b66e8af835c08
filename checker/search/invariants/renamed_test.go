package invariants_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search/component"
	"contend/checker/search/invariants"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/model"
	"contend/model/value"
)

// A speaker tells each of three counters something.
type speaker struct{}

func (*speaker) Start(env model.Env) {
	for to := model.NodeID(1); to <= 3; to++ {
		env.Send(to, 0)
	}
}
func (*speaker) Receive(model.Env, model.NodeID, any) {}

// A witness remembers who counted last. Is says what is reached, and the total.
type witness struct {
	Last []model.NodeID // one, or none
	is   func(last []model.NodeID) int
}

func (w *witness) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		w.Last = []model.NodeID{o.Node}
	}
}
func (w *witness) Reached() bool { return w.is(w.Last) > 0 }
func (w *witness) Totals() []int { return []int{w.is(w.Last)} }

func watched(is func(last []model.NodeID) int) model.Claim {
	return model.Claim{Name: "watched", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &witness{is: is} }}
}

// alike makes an asker about a speaker and three counters that are alike, with all states and their symmetry.
func alike(t *testing.T, claims ...model.Claim) (a *invariants.Asker, states [][]uint32, g *symmetry.Groups) {
	t.Helper()
	s := &model.System{Types: []any{0}, Network: model.Network{Delay: model.Anytime()},
		Nodes: []model.NodeSpec{{Name: "speaker", Role: model.Client, New: func() model.Node { return &speaker{} }}}}
	for i := range 3 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", i+1), Role: model.Server, New: func() model.Node { return &counter{} }})
	}
	codec, err := value.For(s, claims)
	require.NoError(t, err)
	e := step.NewEngine(component.NewStore(s, codec, claims, false, component.Closing))
	g = symmetry.New(e, map[string]bool{symmetry.Servers: true})
	require.NotNil(t, g)
	w := step.NewWorker(e)
	return invariants.New(w, symmetry.NewOrbits(w, g), claims), statesOf(w), g
}

// counts are those of the counters.
func counts(nodes []model.Node) (all []int) {
	for _, n := range nodes[1:] {
		all = append(all, n.(*counter).Count)
	}
	return all
}

// Under symmetry an invariant is asked once about each nodes and what they are renamed to, and what it says, also of
// what breaks it, is remembered.
func TestRenamedInvariants(t *testing.T) {
	asked := map[string]int{}
	a, states, g := alike(t, model.Claim{Name: "one counts", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		is := counts(nodes)
		asked[fmt.Sprint(is)]++
		if sum := is[0] + is[1] + is[2]; sum > 1 {
			return errors.New([]string{"two", "three"}[sum-2])
		}
		return nil
	}})
	nodes := a.Nodes(states[0])
	require.Equal(t, []int{0, 0, 0}, counts(nodes))
	texts := map[string]string{}
	for range 2 {
		for _, v := range states {
			text, how := a.Judge(0, v)
			assert.Empty(t, how)
			texts[fmt.Sprint(counts(a.Nodes(v)))] = text
		}
	}
	assert.Equal(t, map[string]string{"[0 0 0]": "", "[0 0 1]": "", "[0 1 0]": "", "[1 0 0]": "",
		"[0 1 1]": "two", "[1 0 1]": "two", "[1 1 0]": "two", "[1 1 1]": "three"}, texts)
	for of, times := range asked {
		assert.Equal(t, 1, times, of)
	}
	assert.Len(t, asked, 8)
	assert.Empty(t, g.Unlike)
}

// An answer about one state answers for all that it can be renamed to.
func TestRenamedInvariantsAreAskedAhead(t *testing.T) {
	var asked [][]int
	a, states, _ := alike(t, model.Claim{Name: "holds", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		asked = append(asked, counts(nodes))
		return nil
	}})
	i := slices.IndexFunc(states, func(v []uint32) bool { return slices.Equal(counts(a.Nodes(v)), []int{1, 0, 0}) })
	a.Judge(0, states[i])
	assert.Equal(t, [][]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, asked)
}

// A group is refused when an invariant says something else of the renamed nodes, fails there, or changes them there.
func TestInvariantsThatTellNodesApart(t *testing.T) {
	second := func(nodes []model.Node) bool { return slices.Equal(counts(nodes), []int{0, 1, 0}) }
	for name, c := range map[string]struct {
		invariant func(nodes []model.Node) error
		says      string
	}{
		"one that breaks": {func(nodes []model.Node) error {
			if second(nodes) {
				return errors.New("no")
			}
			return nil
		}, "the invariant odd does not treat servers s1 and s2 alike"},
		"one that holds": {func(nodes []model.Node) error {
			if !second(nodes) {
				return errors.New("no")
			}
			return nil
		}, "the invariant odd does not treat servers s1 and s2 alike"},
		"one that fails": {func(nodes []model.Node) error {
			if second(nodes) {
				panic("it is s2")
			}
			return nil
		}, "with servers s1 and s2 exchanged the invariant odd fails: Invariant of claim odd: "},
		"one that changes nodes": {func(nodes []model.Node) error {
			if second(nodes) {
				nodes[2].(*counter).Count = 7
			}
			return nil
		}, "with servers s1 and s2 exchanged the invariant odd fails: the invariant odd changes the state of *invariants_test.counter"},
	} {
		t.Run(name, func(t *testing.T) {
			a, states, g := alike(t, model.Claim{Name: "odd", Kind: model.Always, Invariant: c.invariant})
			i := slices.IndexFunc(states, func(v []uint32) bool { return slices.Equal(counts(a.Nodes(v)), []int{1, 0, 0}) })
			a.Judge(0, states[i])
			require.NotEmpty(t, g.Unlike["servers"])
			assert.Contains(t, g.Unlike["servers"][0], c.says)
		})
	}
}

// So it is when a goal is reached, or a total comes out, for some nodes only.
func TestGoalsAndTotalsThatTellNodesApart(t *testing.T) {
	none := func(last []model.NodeID) int { return min(len(last), 1) }
	for of, is := range map[model.NodeID]func([]model.NodeID) int{0: none, 1: nil, 3: nil} {
		if is == nil {
			is = func(last []model.NodeID) int { return none(last) * b2i(len(last) > 0 && last[0] == of) }
		}
		first := model.Claim{Name: "first", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}
		a, states, g := alike(t, first, watched(is))
		for _, v := range states {
			a.In(a.Goals[0], v)
		}
		b, states, totals := alike(t, first, watched(is))
		for _, v := range states {
			assert.Equal(t, []int{is(lastOf(b, v))}, b.Totals(0, v[b.MonitorAt]))
		}
		if of == 0 {
			assert.Empty(t, g.Unlike)
			assert.Empty(t, totals.Unlike)
			continue
		}
		for _, u := range []map[string][]string{g.Unlike, totals.Unlike} {
			assert.NotEmpty(t, u["servers"], of)
		}
		two := map[model.NodeID]string{1: "s1 and s2", 3: "s2 and s3"}[of]
		assert.Contains(t, g.Unlike["servers"], "the goal *invariants_test.witness does not treat servers "+two+" alike")
		assert.Contains(t, totals.Unlike["servers"], "the total of watched does not treat servers "+two+" alike")
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lastOf is what the witness of a state remembers.
func lastOf(a *invariants.Asker, v []uint32) []model.NodeID {
	return a.Codec.DecodeNode(a.Protos[a.N], []byte(a.Store.Locals.Items[v[a.MonitorAt]].Bytes)).(*witness).Last
}
