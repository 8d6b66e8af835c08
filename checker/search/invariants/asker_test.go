package invariants_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search"
	"contend/checker/search/component"
	"contend/checker/search/invariants"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// A counter counts what it is sent, and tells itself twice when it starts.
type counter struct{ Count int }

func (c *counter) Start(env model.Env) {
	if env.Self() == 0 {
		env.Send(0, 1)
		env.Send(0, 2)
	}
}

func (c *counter) Receive(env model.Env, _ model.NodeID, _ any) {
	c.Count++
	env.Note(c.Count)
}

// reached is a goal: a count is noted. As the meter of a cost it comes to that count and the one below.
type reached struct {
	at   int
	Last int
}

func (r *reached) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		r.Last = o.Value.(int)
	}
}
func (r *reached) Reached() bool { wereAsked++; return r.Last >= r.at }
func (r *reached) Totals() []int { return []int{r.Last + 1, r.Last} }

// wereAsked is how often goals were asked whether they are reached.
var wereAsked int

func monitor(at int) func(*model.System) model.Monitor {
	return func(*model.System) model.Monitor { return &reached{at: at} }
}

// counting is a system of two counters, of which the first may crash, and a liar.
func counting() *model.System {
	s := &model.System{Types: []any{0}, Network: model.Network{Delay: model.Anytime()}, Faults: model.Faults{Crashes: 1},
		Forge: func(model.Node, model.NodeID, model.NodeID) []any { return nil }}
	for i, name := range []string{"a", "b", "liar"} {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Server, Byzantine: i == 2, New: func() model.Node { return &counter{} }})
	}
	s.Nodes[0].Crash = model.CrashStop
	return s
}

// asking makes an asker, and all states.
func asking(t *testing.T, claims ...model.Claim) (a *invariants.Asker, states [][]uint32) {
	t.Helper()
	s := counting()
	codec, err := value.For(s, claims)
	require.NoError(t, err)
	w := step.NewWorker(step.NewEngine(component.NewStore(s, codec, claims, false, component.Closing)))
	return invariants.New(w, nil, claims), statesOf(w)
}

// statesOf are all states that a worker comes to, each once.
func statesOf(w *step.Worker) (states [][]uint32) {
	met := map[string]bool{}
	w.Emit = func(v []uint32) {
		v = slices.Clone(v)
		if step.SortParts(v[w.Head:]); !met[fmt.Sprint(v)] {
			met[fmt.Sprint(v)] = true
			states = append(states, v)
		}
	}
	w.Initial()
	for i := 0; i < len(states); i++ {
		w.Expand(states[i], w.PrintOfState(states[i]))
	}
	return states
}

// below claims that no counter comes to a count; its error has a tab, which is not to be printed.
func below(most int, asked *[]int) model.Claim {
	return model.Claim{Name: fmt.Sprint("below ", most), Kind: model.Always, Invariant: func(nodes []model.Node) error {
		count := -1
		if c, up := nodes[0].(*counter); up {
			count = c.Count
		}
		*asked = append(*asked, count)
		if count >= most {
			return errors.New("it\tcounts")
		}
		return nil
	}}
}

// An invariant is asked about the nodes of a state, without those that are down or lie, and once about the same nodes while it holds.
func TestInvariants(t *testing.T) {
	var two, three []int
	a, states := asking(t, below(2, &two), model.Claim{Name: "no invariant", Monitor: monitor(1)}, below(3, &three))
	assert.Equal(t, []int{0, 2}, a.Claims)
	broken := 0
	for range 2 {
		for _, v := range states {
			nodes := a.Nodes(v)
			require.Len(t, nodes, 3)
			assert.Nil(t, nodes[2], "of a liar there is no state")
			assert.Same(t, nodes[1], a.Nodes(v)[1], "it is decoded once")
			assert.Equal(t, v[0] == component.Down, nodes[0] == nil)
			text, how := a.Judge(0, v)
			assert.Empty(t, how)
			if c, up := nodes[0].(*counter); up && c.Count == 2 {
				assert.Equal(t, model.Printable("it\tcounts"), text)
				broken++
			} else {
				assert.Empty(t, text)
			}
			text, how = a.Judge(1, v)
			assert.Empty(t, text+how)
		}
	}
	assert.Equal(t, []int{-1, 0, 1, 2}, slices.Sorted(slices.Values(three)))
	slices.Sort(two)
	assert.Equal(t, []int{-1, 0, 1}, two[:3])
	assert.Equal(t, slices.Repeat([]int{2}, broken), two[3:], "a state that breaks it is seldom met again")
}

// An invariant that fails is said to, and one that changes a node is found out: the first to be asked, and each after it.
func TestInvariantsThatAreNoGood(t *testing.T) {
	var asked []int
	fails := model.Claim{Name: "fails", Kind: model.Always, Invariant: func([]model.Node) error { panic("it does") }}
	changes := model.Claim{Name: "changes", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		nodes[1].(*counter).Count++
		return nil
	}}
	a, states := asking(t, fails)
	text, how := a.Judge(0, states[0])
	assert.Empty(t, text)
	assert.Contains(t, how, "Invariant of claim fails: ")
	assert.Contains(t, how, "it does")
	for k, claims := range [][]model.Claim{{changes}, {below(3, &asked), changes}} {
		a, states := asking(t, claims...)
		for i := range k {
			text, how := a.Judge(i, states[0])
			require.Empty(t, text+how)
		}
		why := step.FailureOf(func() { a.Judge(k, states[0]) })
		assert.Contains(t, why, "the invariant changes changes the state of *invariants_test.counter", "behind %d others", k)
		assert.Contains(t, step.FailureOf(a.MustBeUnchanged), "an invariant changes the state of *invariants_test.counter")
	}
}

// Nodes are kept for other invariants and other states, so one that changes them would decide for others: of a claim that is broken it
// would be said to hold. It is refused, and so is one that does so only beside certain other nodes.
func TestInvariantsDoNotDecideForOthers(t *testing.T) {
	sets := func(node, to int, when func(count int) bool) model.Claim {
		return model.Claim{Name: "sets", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if c, up := nodes[0].(*counter); up && when(c.Count) {
				nodes[node].(*counter).Count = to
			}
			return nil
		}}
	}
	var asked []int
	any := sets(0, 0, func(int) bool { return true })
	late := sets(1, 5, func(count int) bool { return count == 2 }) // the other counter was looked at before
	for _, c := range []struct {
		claims []model.Claim
		says   string
	}{
		{[]model.Claim{any, below(2, &asked)}, "the invariant sets changes the state of *invariants_test.counter"},
		{[]model.Claim{below(9, &asked), any, below(2, &asked)}, "the invariant sets changes the state of *invariants_test.counter"},
		{[]model.Claim{below(9, &asked), late}, "an invariant changes the state of *invariants_test.counter"},
	} {
		_, err := search.Run(counting(), c.claims, search.Options{Pure: true, Workers: 1})
		assert.ErrorContains(t, err, c.says)
	}
}

// Each local state is looked at, in whatever order they come.
func TestInvariantsThatChangeWhatCameBefore(t *testing.T) {
	a, states := asking(t, model.Claim{Name: "sets", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if c, up := nodes[0].(*counter); up && c.Count == 0 {
			c.Count = 9
		}
		return nil
	}})
	i := slices.IndexFunc(states, func(v []uint32) bool { c, up := a.Nodes(v)[0].(*counter); return up && c.Count == 2 })
	a.Judge(0, states[i])
	assert.Contains(t, step.FailureOf(func() { a.Judge(0, states[0]) }), "the invariant sets changes the state of *invariants_test.counter")
}

// A caller is called, and returns.
type caller struct{}

func (*caller) Invoke(env model.Env, _ any)          { env.Return(nil) }
func (*caller) Receive(model.Env, model.NodeID, any) {}

// That all is done is a goal that is reached when each script is at its end.
func TestDone(t *testing.T) {
	s := &model.System{Types: []any{0}, Network: model.Network{Delay: model.Anytime()}}
	for range 2 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Role: model.Client, New: func() model.Node { return &caller{} },
			Script: []model.Op{{Call: 0, After: model.Anytime()}}})
	}
	claims := []model.Claim{{Name: "done", Kind: model.Sometimes, Done: true}}
	codec, err := value.For(s, claims)
	require.NoError(t, err)
	w := step.NewWorker(step.NewEngine(component.NewStore(s, codec, claims, false, component.Closing)))
	a := invariants.New(w, nil, claims)
	var done []bool
	for _, v := range statesOf(w) {
		done = append(done, a.In(a.Goals[0], v))
	}
	assert.Equal(t, append(slices.Repeat([]bool{false}, 8), true), done, "each has yet to call, is about to return, or has")
}

// Goals are those of claims with a monitor or about scripts, and of each its own monitor says whether it is reached.
func TestGoals(t *testing.T) {
	claims := []model.Claim{{Name: "one", Kind: model.Sometimes, Monitor: monitor(1)}, below(9, new([]int)),
		{Name: "done", Kind: model.PossibleFromEverywhere, Done: true}, {Name: "two", Kind: model.Sometimes, Monitor: monitor(2)},
		{Name: "done some time", Kind: model.Sometimes, Done: true}}
	var of []int
	for _, g := range invariants.GoalsOf(claims) {
		of = append(of, g.Claim)
	}
	assert.Equal(t, []int{0, 2, 3, 4}, of)
	a, states := asking(t, claims...)
	require.Len(t, a.Goals, 3)
	counts := map[int]bool{}
	wereAsked = 0
	for range 2 {
		for _, v := range states {
			last := a.Totals(1, v[a.MonitorAt+1])[0]
			counts[last] = true
			assert.Equal(t, []int{last, last + 1}, a.Totals(0, v[a.MonitorAt]), "in order")
			assert.Equal(t, last >= 1, a.In(a.Goals[0], v))
			assert.Equal(t, last >= 2, a.In(a.Goals[1], v))
			assert.True(t, a.In(a.Goals[2], v), "there are no scripts")
		}
	}
	assert.Equal(t, map[int]bool{0: true, 1: true, 2: true}, counts)
	assert.Equal(t, 6, wereAsked, "each of the two once about each count")
}
