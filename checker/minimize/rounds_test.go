package minimize_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/minimize"
	"contend/model"
	"contend/traces"
)

// pingpong is a protocol in which a ball goes round for ever: two players return it to each other, and a third does
// something now and then. That the third is done is claimed, and it never is.
var pingpong = &model.Protocol{Name: "pingpong",
	Claims: []model.Claim{
		{Name: "done", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &never{} }},
		{Name: "odd", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &odd{} }},
	},
	Build: func(model.Config) (*model.System, error) {
		s := &model.System{Types: []any{ball{}, tick{}}, Network: model.Network{Delay: model.Anytime()}}
		for i := range 2 {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("p", i+1), Role: model.Peer, New: func() model.Node { return &player{} }})
		}
		s.Nodes[0].Script = []model.Op{{Call: 0}}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "clock", Role: model.Server, New: func() model.Node { return &clock{} }})
		return s, nil
	}}

type (
	ball   struct{}
	tick   struct{}
	player struct{ Early int }
	clock  struct{ Odd bool }
	never  struct{}
)

func (p *player) Invoke(env model.Env, _ any) { env.Send(1, ball{}) }

func (p *player) Receive(env model.Env, from model.NodeID, _ any) {
	p.Early = min(p.Early+1, 2)
	env.Send(from, ball{})
}

func (c *clock) Start(env model.Env) { env.After(tick{}, model.Anytime()) }

func (c *clock) Timeout(env model.Env, _ any) {
	c.Odd = !c.Odd
	env.Note(0)
	env.After(tick{}, model.Anytime())
}

func (*never) Observe(model.Watch, model.Observation) {}

func (*never) Reached() bool { return false }

// rally is a run of so many throws, with ticks of the clock after some of them, by number from 1; the round begins behind the
// step loop-1.
func rally(t *testing.T, throws, loop int, ticks ...int) *traces.Trace {
	t.Helper()
	tr := traces.New(pingpong, "", model.Config{}, false, "done", "")
	tr.Watched = []string{"done"}
	tr.Loop = loop
	step := func(kind, from, to, typ, value string, n int) {
		tr.Steps = append(tr.Steps, traces.Step{Kind: kind, From: from, To: to, Type: typ, Occurrence: n, Value: []byte(value)})
	}
	step("invoke", "", "p1", "int", "0", 1)
	ticked := 0
	for i := range throws {
		from, to := "p1", "p2"
		if i%2 == 1 {
			from, to = to, from
		}
		step("deliver", from, to, "minimize_test.ball", "{}", i/2+1)
		if slices.Contains(ticks, i+1) {
			ticked++
			step("timeout", "", "clock", "minimize_test.tick", "{}", ticked)
		}
	}
	return &tr
}

// The way to a round becomes shorter, and so does the round, so long as it comes back to where it began and is fair: the ball comes
// back after two throws, and the clock has to tick twice to be where it was. That it never ticks would be unfair.
func TestRounds(t *testing.T) {
	tr := rally(t, 14, 10, 2, 3, 8, 10) // from behind throw 6 with its two ticks to throw 14, two ticks
	is, r, err := minimize.Minimize(pingpong, tr, minimize.Options{})
	require.NoError(t, err)
	assert.True(t, r.Locally)
	assert.Zero(t, r.Refused, "no candidate was an unfair round")
	require.Positive(t, is.Loop)
	prefix, round := is.Steps[:is.Loop-1], is.Steps[is.Loop-1:]
	var in []string
	for _, s := range round {
		in = append(in, s.Kind)
	}
	assert.ElementsMatch(t, []string{"deliver", "deliver", "timeout", "timeout"}, in)
	assert.Len(t, prefix, 5, "an operation, and as many throws as a player counts: %v", prefix)
	assert.NotContains(t, kinds(&traces.Trace{Steps: prefix}), "timeout")
}

// odd is reached after each other tick.
type odd struct{ Is bool }

func (o *odd) Observe(_ model.Watch, seen model.Observation) {
	if seen.Kind == model.Noted {
		o.Is = !o.Is
	}
}

func (o *odd) Reached() bool { return o.Is }

// A round that reaches the goal on its way breaks nothing, though its end does not show that. Such a trace is refused.
func TestRoundsThatReachTheGoal(t *testing.T) {
	tr := rally(t, 14, 10, 2, 3, 8, 10)
	tr.Claim, tr.Watched = "odd", []string{"odd"}
	_, _, err := minimize.Minimize(pingpong, tr, minimize.Options{})
	assert.ErrorContains(t, err, "step 12 of its loop reaches the goal of odd")
}

// juggling is a protocol of a node that has two equal balls in the air, and throws again each that it gets. It is claimed that it rests.
func juggling(channel model.Channel) *model.Protocol {
	return &model.Protocol{Name: "juggling",
		Claims: []model.Claim{{Name: "rest", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &never{} }}},
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{ball{}}, Network: model.Network{Channel: channel, Delay: model.Anytime()},
				Nodes: []model.NodeSpec{{Name: "j", Role: model.Server, New: func() model.Node { return &juggler{} }}}}, nil
		}}
}

type juggler struct{}

func (*juggler) Start(env model.Env) {
	env.Send(env.Self(), ball{})
	env.Send(env.Self(), ball{})
}

func (*juggler) Receive(env model.Env, _ model.NodeID, _ any) { env.Send(env.Self(), ball{}) }

// Fairness does not tell equal messages in flight apart: a round in which one of two comes is fair. In a channel that keeps the order the other
// could not come at first.
func TestRoundsOfEqualMessages(t *testing.T) {
	for _, channel := range []model.Channel{model.Bag, model.FIFO} {
		tr := traces.New(juggling(channel), "", model.Config{}, false, "rest", "")
		tr.Watched, tr.Loop = []string{"rest"}, 2
		for i := range 4 {
			tr.Steps = append(tr.Steps, traces.Step{Kind: "deliver", From: "j", To: "j", Type: "minimize_test.ball", Occurrence: i + 1, Value: []byte("{}")})
		}
		is, r, err := minimize.Minimize(juggling(channel), &tr, minimize.Options{})
		require.NoError(t, err)
		assert.True(t, r.Locally)
		assert.Zero(t, r.Refused)
		require.Positive(t, is.Loop)
		assert.Len(t, is.Steps[is.Loop-1:], 1)
	}
}

// A round that takes no time is fair though what is due later never comes: it cannot happen in any state of the round.
func TestRoundsThatTakeNoTime(t *testing.T) {
	p := &model.Protocol{Name: "hasty", Claims: []model.Claim{{Name: "rest", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &never{} }}},
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{""}, Nodes: []model.NodeSpec{{Name: "h", Role: model.Server, New: func() model.Node { return &hasty{} }}}}, nil
		}}
	tr := traces.New(p, "", model.Config{}, true, "rest", "")
	tr.Watched, tr.Loop = []string{"rest"}, 2
	for i := range 3 {
		tr.Steps = append(tr.Steps, traces.Step{At: "0", Kind: "timeout", To: "h", Type: "string", Occurrence: i + 2, Value: []byte(`"now"`)})
	}
	is, r, err := minimize.Minimize(p, &tr, minimize.Options{})
	require.NoError(t, err)
	assert.True(t, r.Locally)
	assert.Len(t, is.Steps, 1)
}

type hasty struct{}

func (*hasty) Start(env model.Env) {
	env.After("later", model.Between(5, 9))
	env.After("now", model.Exactly(0))
}

func (*hasty) Timeout(env model.Env, _ any) { env.After("now", model.Exactly(0)) }

// wheel is a protocol of one node, which six pushes turn; it is claimed that nobody looks when it stands at an even place.
var wheel = &model.Protocol{Name: "wheel",
	Claims: []model.Claim{
		{Name: "odd", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if w := nodes[0].(*turning); w.Looked && w.At%2 == 0 {
				return fmt.Errorf("it stands at %d", w.At)
			}
			return nil
		}},
	},
	Build: func(model.Config) (*model.System, error) {
		return &model.System{Types: []any{ball{}}, Network: model.Network{Delay: model.Anytime()}, Nodes: []model.NodeSpec{{Name: "w", New: func() model.Node { return &turning{} },
			Script: []model.Op{{Call: 0}}}}}, nil
	}}

type turning struct {
	At     int
	Looked bool
}

func (w *turning) Start(env model.Env) {
	for range 6 {
		env.Send(env.Self(), ball{})
	}
}

func (w *turning) Receive(model.Env, model.NodeID, any) { w.At = (w.At + 1) % 10 }

func (w *turning) Invoke(env model.Env, _ any) { w.Looked = true }

// Neither of two steps may go without the other.
func TestPairs(t *testing.T) {
	tr := traces.New(wheel, "", model.Config{}, false, "odd", "")
	tr.Watched = []string{"odd"}
	for i := range 6 {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "deliver", From: "w", To: "w", Type: "minimize_test.ball", Occurrence: i + 1, Value: []byte("{}")})
	}
	tr.Steps = append(tr.Steps, traces.Step{Kind: "invoke", To: "w", Type: "int", Occurrence: 1, Value: []byte("0")})
	is, _, err := minimize.Minimize(wheel, &tr, minimize.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"invoke"}, kinds(is))
}

// gate is a protocol of a node that letters come to until it is asked, and then chooses one of two keys, or is told one by a liar. It is claimed that
// no key fits: one does if all letters have come, the other if all but the first have.
func gate(all int, told bool) *model.Protocol {
	return &model.Protocol{Name: "gate",
		Claims: []model.Claim{
			{Name: "shut", Kind: model.Always, Invariant: func(nodes []model.Node) error {
				g := nodes[0].(*gated)
				if g.Asked && (g.Key == all && g.Came == "123" || g.Key == 1-all && g.Came == "23") {
					return fmt.Errorf("key %d fits %s", g.Key, g.Came)
				}
				return nil
			}},
		},
		Build: func(model.Config) (*model.System, error) {
			s := &model.System{Types: []any{0, tick{}, key{}}, Network: model.Network{Delay: model.Anytime()}, Forge: func(to model.Node, _, _ model.NodeID) []any {
				return []any{key{0}, key{1}}
			}, Nodes: []model.NodeSpec{{Name: "g", New: func() model.Node { return &gated{} }}}}
			if told {
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: "l", Role: model.Server, Byzantine: true})
			} else {
				s.Nodes[0].Script = []model.Op{{Call: 0}}
			}
			return s, nil
		}}
}

type (
	key   struct{ Is int }
	gated struct {
		Came  string
		Asked bool
		Key   int
	}
)

func (g *gated) Start(env model.Env) {
	for i := range 3 {
		env.Send(env.Self(), i+1)
	}
}

func (g *gated) Receive(_ model.Env, _ model.NodeID, m any) {
	if k, ok := m.(key); ok {
		g.Asked, g.Key = true, k.Is
		return
	}
	g.Came += fmt.Sprint(m)
}

func (g *gated) Invoke(env model.Env, _ any) { g.Asked, g.Key = true, env.Choose(2) }

// With another answer, or another lie, one of the steps may go, and which one is tried one by one. The other one may come earlier in its
// alphabet or later.
func TestStepsWithAnotherAnswer(t *testing.T) {
	for all := range 2 {
		for _, told := range []bool{false, true} {
			p := gate(all, told)
			tr := traces.New(p, "", model.Config{}, false, "shut", "")
			tr.Watched = []string{"shut"}
			for i := range 3 {
				tr.Steps = append(tr.Steps, traces.Step{Kind: "deliver", From: "g", To: "g", Type: "int", Occurrence: i + 1, Value: []byte(fmt.Sprint(i + 1))})
			}
			if told {
				tr.Steps = append(tr.Steps, traces.Step{Kind: "forge", From: "l", To: "g", Type: "minimize_test.key", Value: fmt.Appendf(nil, `{"Is":%d}`, all)})
			} else {
				tr.Steps = append(tr.Steps, traces.Step{Kind: "invoke", To: "g", Type: "int", Occurrence: 1, Choices: []int{all}, Value: []byte("0")})
			}
			is, _, err := minimize.Minimize(p, &tr, minimize.Options{})
			require.NoError(t, err)
			require.Equal(t, []string{"deliver", "deliver", tr.Steps[3].Kind}, kinds(is))
			assert.Equal(t, "2", string(is.Steps[0].Value))
			assert.Equal(t, "3", string(is.Steps[1].Value))
			if told {
				assert.JSONEq(t, fmt.Sprintf(`{"Is":%d}`, 1-all), string(is.Steps[2].Value))
			} else {
				assert.Equal(t, []int{1 - all}, is.Steps[2].Choices)
			}
		}
	}
}

// Each answer of a step becomes as small as may be.
func TestSmallAnswers(t *testing.T) {
	p := &model.Protocol{Name: "choosing",
		Claims: []model.Claim{{Name: "small", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if c := nodes[0].(*choosing); c.First >= 1 && c.Second >= 2 {
				return fmt.Errorf("it chooses %d and %d", c.First, c.Second)
			}
			return nil
		}}},
		Build: func(model.Config) (*model.System, error) {
			return &model.System{Network: model.Network{Delay: model.Anytime()}, Nodes: []model.NodeSpec{{Name: "c", New: func() model.Node { return &choosing{} }, Script: []model.Op{{Call: 0}}}}}, nil
		}}
	tr := traces.New(p, "", model.Config{}, false, "small", "")
	tr.Watched = []string{"small"}
	tr.Steps = []traces.Step{{Kind: "invoke", To: "c", Type: "int", Occurrence: 1, Choices: []int{4, 8}, Value: []byte("0")}}
	is, _, err := minimize.Minimize(p, &tr, minimize.Options{})
	require.NoError(t, err)
	require.Len(t, is.Steps, 1)
	assert.Equal(t, []int{1, 2}, is.Steps[0].Choices)
}

type choosing struct{ First, Second int }

func (c *choosing) Invoke(env model.Env, _ any) { c.First, c.Second = env.Choose(10), env.Choose(10) }

// A handler that fails may be that which says what liars may say.
func TestForgeThatFails(t *testing.T) {
	p := &model.Protocol{Name: "stumbling",
		Build: func(model.Config) (*model.System, error) {
			return &model.System{Network: model.Network{Delay: model.Anytime()}, Types: []any{key{}}, Forge: func(to model.Node, _, _ model.NodeID) []any {
				if c, ok := to.(*choosing); ok && c.First == 3 {
					panic("there is nothing to say")
				}
				return nil
			}, Nodes: []model.NodeSpec{{Name: "c", New: func() model.Node { return &choosing{} }, Script: []model.Op{{Call: 0}}},
				{Name: "d", New: func() model.Node { return &choosing{} }, Script: []model.Op{{Call: 0}}},
				{Name: "l", Role: model.Server, Byzantine: true}}}, nil
		}}
	tr := traces.New(p, "", model.Config{}, false, model.NoHandlerFails, "")
	for _, n := range []string{"d", "c"} {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "invoke", To: n, Type: "int", Occurrence: 1, Choices: []int{map[string]int{"d": 2, "c": 3}[n], 0}, Value: []byte("0")})
	}
	is, r, err := minimize.Minimize(p, &tr, minimize.Options{})
	require.NoError(t, err)
	assert.True(t, r.Locally)
	assert.Len(t, is.Steps, 1)
}

// guarded is a protocol of a node that is closed for less than a tick once it was asked to, and is claimed never to be found open after that.
var guarded = &model.Protocol{Name: "guarded",
	Claims: []model.Claim{
		{Name: "closed", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*guard).Open {
				return fmt.Errorf("it is open")
			}
			return nil
		}},
	},
	Build: func(model.Config) (*model.System, error) {
		return &model.System{Types: []any{""}, Nodes: []model.NodeSpec{{Name: "g", New: func() model.Node { return &guard{} }}}}, nil
	}}

type guard struct{ Asked, Open bool }

func (g *guard) Start(env model.Env) {
	env.After("ask", model.Between(0, 5))
	env.After("look", model.Between(0, 5))
}

func (g *guard) Timeout(env model.Env, key any) {
	if key == "look" {
		g.Open = g.Asked && !env.Held("closed")
		return
	}
	g.Asked = true
	env.Hold("closed", model.Below(1))
}

// Times become whole ticks where no step can be as early as it may.
func TestWholeTicks(t *testing.T) {
	tr := traces.New(guarded, "", model.Config{}, true, "closed", "")
	tr.Watched = []string{"closed"}
	for i, at := range []string{"1/2", "7/4"} {
		key := []string{"ask", "look"}[i]
		tr.Steps = append(tr.Steps, traces.Step{At: at, Kind: "timeout", To: "g", Type: "string", Occurrence: i + 1, Value: []byte(`"` + key + `"`)})
	}
	is, _, err := minimize.Minimize(guarded, &tr, minimize.Options{})
	require.NoError(t, err)
	require.Len(t, is.Steps, 2)
	assert.Equal(t, []string{"0", "1"}, []string{is.Steps[0].At, is.Steps[1].At})
}
