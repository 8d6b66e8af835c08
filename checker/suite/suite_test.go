package suite_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/suite"
	"contend/impl/backoff"
	"contend/impl/twophase"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// A space is the transitions of a system by brute force: each move of each state, with all answers.
type space struct {
	setting     *world.Setting
	transitions map[string]bool
	states      map[string]bool
}

// enumerate finds all states and transitions, without any code of the search.
func enumerate(t *testing.T, s *model.System) *space {
	codec, err := value.New(s)
	require.NoError(t, err)
	x := &space{transitions: map[string]bool{}, states: map[string]bool{}}
	x.setting, err = world.Prepare(s, codec, nil)
	require.NoError(t, err)
	var queue []world.Frozen
	meet := func(f world.Frozen) {
		if key := value.Canonical(f); !x.states[key] {
			x.states[key] = true
			queue = append(queue, f)
		}
	}
	for answers, more := []int(nil), true; more; {
		var given []world.Choice
		w, err := x.setting.Start(world.Options{Boot: world.Answering(answers, &given)})
		require.NoError(t, err)
		meet(w.Frozen())
		answers, more = world.NextAnswers(given)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		moves := func(w *world.World) []world.Move { return append(w.Moves(), w.Forgeries()...) }
		for i := range moves(x.setting.Thaw(queue[0])) {
			for answers, more := []int(nil), true; more; {
				var given []world.Choice
				w := x.setting.Thaw(queue[0])
				m := moves(w)[i]
				_, err := w.Step(m, 0, world.Answering(answers, &given))
				answers, more = world.NextAnswers(given)
				if err == nil {
					x.transitions[transition(queue[0], m, given, w.Frozen())] = true
					meet(w.Frozen())
				}
			}
		}
	}
	return x
}

// transition names a transition.
func transition(from world.Frozen, m world.Move, given []world.Choice, to world.Frozen) string {
	what := []any{int(m.Kind), int(m.Node), int(m.From), m.Value}
	if e := m.Event; e != nil {
		what = []any{int(m.Kind), int(e.Node), int(e.From), e.Value, e.Optional}
	}
	answers := []int{}
	for _, c := range given {
		answers = append(answers, c.Is)
	}
	return value.Canonical([]any{from, what, answers, to})
}

// taken returns the transitions that a trace takes.
func (x *space) taken(t *testing.T, p *model.Protocol, tr *traces.Trace, met map[string]bool) {
	run, err := replay.Replay(p, tr, nil)
	require.NoError(t, err)
	w, err := x.setting.Start(world.Options{Boot: world.Answering(tr.Boot, nil)})
	require.NoError(t, err)
	for _, r := range run.Records {
		from := w.Frozen()
		m := r.Move
		if m.Event != nil {
			m.Event = nil
			w.EachPending(func(e *world.Event) {
				if m.Event == nil && e.Kind == r.Move.Event.Kind && e.Node == r.Move.Event.Node && e.From == r.Move.Event.From && e.Occurrence == r.Move.Event.Occurrence &&
					world.TypeName(e.Value) == world.TypeName(r.Move.Event.Value) {
					m.Event = e
				}
			})
		}
		var answers []int
		for _, c := range r.Choices {
			answers = append(answers, c.Is)
		}
		var given []world.Choice
		_, err := w.Step(m, 0, world.Answering(answers, &given))
		require.NoError(t, err)
		met[transition(from, m, given, w.Frozen())] = true
	}
}

var small = []struct {
	p *model.Protocol
	c model.Config
}{
	{twophase.Protocol, model.Config{N: 2}},
	{twophase.Protocol, model.Config{N: 1, Faults: model.Faults{Restarts: 1}}},
	{twophase.Protocol, model.Config{N: 1, Faults: model.Faults{Loss: 1, Duplication: 1, Partitions: 1}}},
	{backoff.Protocol, backoff.Protocol.Checks[0].Config},
}

// The runs of a suite are runs, by a strict replay, and take exactly the transitions that brute force finds.
func TestTakesAllTransitions(t *testing.T) {
	for _, x := range small {
		c := x.p.Filled(x.c)
		s, err := x.p.System("", c)
		require.NoError(t, err)
		all := enumerate(t, s)
		got, err := suite.New(x.p, "", c, suite.Options{})
		require.NoError(t, err)
		assert.Equal(t, got.Transitions, got.Covered)
		assert.Equal(t, len(all.states), got.States, x.p.Name)
		met := map[string]bool{}
		last := 0
		for _, r := range got.Runs {
			all.taken(t, x.p, r.Trace, met)
			assert.GreaterOrEqual(t, len(r.Trace.Steps), last, "shortest first")
			last = len(r.Trace.Steps)
		}
		for tr := range all.transitions {
			require.True(t, met[tr], "%s: a transition is not taken", x.p.Name)
		}
		require.Len(t, met, len(all.transitions), x.p.Name)
	}
}

// A suite of pairs takes each transition behind each other one that leads to its state.
func TestTakesAllPairs(t *testing.T) {
	for _, x := range small {
		got, err := suite.New(x.p, "", x.p.Filled(x.c), suite.Options{Cover: suite.Pairs})
		require.NoError(t, err)
		single, err := suite.New(x.p, "", x.p.Filled(x.c), suite.Options{})
		require.NoError(t, err)
		met, after := map[[2]int]bool{}, map[int]map[int]bool{}
		follow := func(runs []suite.Run) {
			for _, r := range runs {
				for i, e := range r.Edges {
					if i > 0 {
						met[[2]int{r.Edges[i-1], e}] = true
					}
					if after[e] == nil {
						after[e] = map[int]bool{}
					}
				}
			}
		}
		follow(got.Runs)
		pairs := len(met)
		follow(single.Runs) // has no pair that is not there
		assert.Len(t, met, pairs)
		assert.Equal(t, got.Goals, got.CoveredGoals)
		firsts := map[int]bool{}
		for _, r := range got.Runs {
			firsts[r.Edges[0]] = true
		}
		assert.Equal(t, got.Goals, pairs+len(firsts), "pairs, and first transitions")
	}
}

func TestIsTheSameEachTime(t *testing.T) {
	for _, opt := range []suite.Options{{}, {Cover: suite.Pairs}, {Cover: suite.Samples, Samples: 20, Seed: 3}} {
		a, err := suite.New(twophase.Protocol, "", model.Config{N: 2}, opt)
		require.NoError(t, err)
		b, err := suite.New(twophase.Protocol, "", model.Config{N: 2}, opt)
		require.NoError(t, err)
		assert.Equal(t, a, b)
	}
	a, _ := suite.New(twophase.Protocol, "", model.Config{N: 2}, suite.Options{Cover: suite.Samples, Samples: 20, Seed: 3})
	b, _ := suite.New(twophase.Protocol, "", model.Config{N: 2}, suite.Options{Cover: suite.Samples, Samples: 20, Seed: 4})
	assert.NotEqual(t, a.Runs, b.Runs, "the seed counts")
}

func TestBounds(t *testing.T) {
	c := model.Config{N: 3}
	s, err := suite.New(twophase.Protocol, "", c, suite.Options{MaxStates: 50})
	require.NoError(t, err)
	assert.Equal(t, "states", s.Limit)
	assert.Equal(t, s.Transitions, s.Covered)
	assert.Contains(t, s.String(), "; the space is larger")
	s, err = suite.New(twophase.Protocol, "", c, suite.Options{MaxSteps: 5})
	require.NoError(t, err)
	assert.Equal(t, s.Transitions, s.Covered)
	short := 0
	for _, r := range s.Runs {
		if len(r.Edges) <= 5 {
			short++
		}
	}
	assert.Greater(t, short, len(s.Runs)/4)
}

// A node fails when it receives a message.
type failing struct{}

func (*failing) Start(env model.Env)                  { env.Send(0, 1) }
func (*failing) Receive(model.Env, model.NodeID, any) { panic("it cannot") }

// A node fails as it starts.
type stillborn struct{}

func (*stillborn) Start(model.Env) { panic("it cannot") }

func TestRefusals(t *testing.T) {
	dead := &model.Protocol{Name: "stillborn", Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Nodes: []model.NodeSpec{{Name: "a", Role: model.Peer, New: func() model.Node { return &stillborn{} }}}}, nil
	}}
	p := &model.Protocol{Name: "failing", Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{0}, Network: model.Network{Delay: model.Anytime()},
			Nodes: []model.NodeSpec{{Name: "a", Role: model.Peer, New: func() model.Node { return &failing{} }}}}, nil
	}}
	for want, err := range map[string]error{
		"protocol failing: a handler of the page fails, so that its runs mean nothing: check it first": second(suite.New(p, "", model.Config{}, suite.Options{})),
		"protocol stillborn: a handler of the page fails as the nodes start: check it first":           second(suite.New(dead, "", model.Config{}, suite.Options{})),
		`cover: "all" is not one of [transitions pairs samples]`:                                       second(suite.New(twophase.Protocol, "", model.Config{N: 2}, suite.Options{Cover: "all"})),
		"samples must be at least 1": second(suite.New(twophase.Protocol, "", model.Config{N: 2}, suite.Options{Cover: suite.Samples})),
	} {
		assert.EqualError(t, err, want)
	}
}

func second(_ *suite.Suite, err error) error { return err }

func ExampleNew() {
	s, err := suite.New(twophase.Protocol, "", model.Config{N: 2}, suite.Options{})
	fmt.Println(s, err)
	// Output: the suite has 72 runs of 368 steps, and takes 189 of 189 transitions in 84 states <nil>
}
