package walk_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/walk"
)

// alone returns a protocol of one node that may crash.
func alone(node func() model.Node, all ...model.Claim) *model.Protocol {
	return &model.Protocol{Name: "alone", Claims: all, Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{"", 0}, Nodes: []model.NodeSpec{
			{Name: "n", New: node, Crash: model.CrashStop, Script: []model.Op{{Call: "go", After: model.Anytime()}}},
		}}, nil
	}}
}

// begun returns a walk in the initial state.
func begun(t *testing.T, p *model.Protocol, faults model.Faults, timed bool) *walk.Walk {
	t.Helper()
	header := traces.New(p, "", model.Config{Faults: faults}, timed, "", "")
	w, err := walk.Begin(p, &header, p.Claims, 0)
	require.NoError(t, err)
	return w
}

// An asker asks for three answers in a step. The last answer is no choice. It notes and stores the answers.
type asker struct{ A, B int }

func (a *asker) Invoke(env model.Env, _ any) {
	a.A, a.B = env.Choose(2), env.Choose(3)+env.Choose(1)
	env.Note(a.A)
	env.Note(a.B)
}

// A holding is a monitor that sets a hold at one observation and queries it at another.
type holding struct{ Seen, Lasted int }

func (h *holding) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Noted {
		return
	}
	if h.Seen++; h.Seen == 1 {
		w.Hold("h", model.Through(1))
	} else if w.Held("h") {
		h.Lasted++
	}
}

// A step asks for one answer after the other, and a place has all answers. Questions of a monitor that did
// not watch are answered with 0.
func TestAnswers(t *testing.T) {
	p := alone(func() model.Node { return &asker{} })
	w := begun(t, p, model.Faults{}, false)
	for of, answers := range map[int][]int{2: nil, 3: {1}, 1: {1, 2}} {
		var ask *walk.Ask
		require.ErrorAs(t, w.Take(w.Offers()[0], "", answers), &ask)
		assert.Equal(t, of, ask.Of, "after %v", answers)
	}
	got := w.Nearest(walk.Seeking{States: 100, Holds: func(nodes []model.Node) bool { return *nodes[0].(*asker) == asker{1, 2} }})
	assert.Equal(t, "1:1,2,0", got.Place.String())
	require.NoError(t, w.Take(w.Offers()[0], "", []int{1, 2, 0}))
	assert.Equal(t, "1:1,2,0", w.Place().String())
	tr, err := w.Trace()
	require.NoError(t, err)

	watched := alone(func() model.Node { return &asker{} }, model.Claim{Name: "holding", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &holding{} }})
	header := traces.New(watched, "", model.Config{}, false, "", "")
	along, err := walk.BeginAlong(watched, &header, nil, tr)
	require.NoError(t, err)
	assert.Equal(t, "1:1,2,0,0", along.Place().String())
	tr.Steps[0].Choices = []int{1, 3, 0}
	_, err = walk.BeginAlong(watched, &header, nil, tr)
	assert.EqualError(t, err, "step 1 (invoke n string #1): choice 2 (choose) is 3, but must be 0 to 2")
}

// A fault of which none is left is not among what may happen.
func TestNoFaultIsLeft(t *testing.T) {
	header := traces.New(toy.Protocol, "", model.Config{}, false, "", "")
	tr := header
	tr.Steps = []traces.Step{{Kind: "crash", To: "s1"}}
	_, err := walk.Begin(toy.Protocol, &tr, nil, 1)
	assert.EqualError(t, err, "step 1 (crash s1): it is not among what may happen")
	_, err = walk.BeginAlong(toy.Protocol, &header, nil, &tr)
	assert.EqualError(t, err, "step 1 (crash s1): it is not among what may happen")
}

// An early node has an alarm that fires at any time up to 9.
type early struct{ Rang bool }

func (*early) Start(env model.Env) {
	env.Note("begins")
	env.After("early", model.Between(0, 9))
}

func (e *early) Timeout(model.Env, any) { e.Rang = true }

// The alarm of a monitor that did not watch fires before a step only if it must, whatever else may happen.
func TestBeginAlongNoSoonerThanItHasTo(t *testing.T) {
	p := alone(func() model.Node { return &early{} })
	watched := alone(func() model.Node { return &early{} }, model.Claim{Name: "patience", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &impatient{} }})
	header := traces.New(watched, "", model.Config{}, true, "", "")
	for at, want := range map[string][]string{"2": {"timeout"}, "3": {"timeout"}, "5": {"expire", "timeout"}} {
		tr := traces.New(p, "", model.Config{}, true, "", "")
		tr.Steps = []traces.Step{{Kind: "timeout", To: "n", Type: "string", Occurrence: 1, At: at, Value: toy.Raw(`"early"`)}}
		w, err := walk.BeginAlong(watched, &header, nil, &tr)
		require.NoError(t, err)
		back, err := w.Trace()
		require.NoError(t, err)
		var got []string
		for _, s := range back.Steps {
			got = append(got, s.Kind)
		}
		assert.Equal(t, want, got, at)
	}
}

// A search ends after the maximum number of states, even between two events of a state.
func TestNearestEnds(t *testing.T) {
	ra := ricartagrawala.Protocol
	header := traces.New(ra, "", ra.Filled(model.Config{}.With(model.N.Is(3))), false, "", "")
	w, err := walk.Begin(ra, &header, nil, 0)
	require.NoError(t, err)
	for states := 1; states < 20; states++ {
		got := w.Nearest(walk.Seeking{States: states, Holds: func([]model.Node) bool { return false }})
		assert.Equal(t, states, got.States)
	}
}

// A twice claims that nothing is delivered twice.
type twice struct{ Delivered int }

func (o *twice) Observe(w model.Watch, is model.Observation) {
	if is.Kind == model.Delivered {
		if o.Delivered++; o.Delivered == 2 {
			w.Violate("it is delivered twice")
		}
	}
}

// A courier sends to itself, and delivers what arrives.
type courier struct{ Sent int }

func (c *courier) Invoke(env model.Env, _ any) { env.Send(0, 1) }

func (c *courier) Receive(env model.Env, _ model.NodeID, m any) { env.Deliver(m) }

// A message that may come again after a restart, but need not, makes nothing inevitable.
func TestWhatMayComeAgainAvoidsNothing(t *testing.T) {
	p := alone(func() model.Node { return &courier{} }, model.Claim{Name: "once", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &twice{} }})
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		s.Nodes[0].Crash, s.Network.Delay = model.CrashStopRecovery, model.Anytime()
		return s, err
	}
	w := begun(t, p, model.Faults{Restarts: 1}, false)
	for _, kind := range []model.EventKind{model.Invoke, model.Deliver, model.Crash, model.Restart} {
		for _, o := range w.Offers() {
			if o.Kind == kind {
				takes(t, w, o)
				break
			}
		}
	}
	require.Equal(t, 4, w.Steps())
	require.Len(t, w.Offers(), 1, "it may come once more")
	require.True(t, w.Offers()[0].Event().Optional)
	is, way := walk.NewAvoiding("once", 100, nil).From(w)
	assert.Equal(t, walk.Avoidable, is)
	assert.Equal(t, w.Place(), way)
}

// A waiter fails if its hold still lasts at one of several alarms.
type waiter struct {
	alarms   int
	within   model.Window
	Rang, Is int
}

func (r *waiter) Start(env model.Env) {
	env.Hold("h", model.Through(2))
	env.After("ring", r.within)
}

func (r *waiter) Invoke(model.Env, any) {}

func (r *waiter) Timeout(env model.Env, _ any) {
	if env.Held("h") {
		r.Is = 2
	}
	if r.Rang++; r.Rang < r.alarms {
		r.Start(env)
	}
}

// A violation that several late steps in sequence avoid is found to be avoidable, but only with instants that
// a place can name.
func TestAvoidedByBeingLate(t *testing.T) {
	never := model.Claim{Name: "never", Invariant: func(nodes []model.Node) error {
		if w, is := nodes[0].(*waiter); is && w.Is == 2 {
			return errors.New("it held")
		}
		return nil
	}}
	for _, c := range []struct {
		waiter waiter
		want   walk.Outlook
		way    string
	}{{waiter{alarms: 2, within: model.Between(1, 3)}, walk.Avoidable, "1@3.1@6"}, {waiter{alarms: 1, within: model.Anytime()}, walk.Open, ""}} {
		p := alone(func() model.Node { is := c.waiter; return &is }, never)
		build := p.Build
		p.Build = func(cfg model.Config) (*model.System, error) {
			s, err := build(cfg)
			s.Nodes[0].Script = nil
			return s, err
		}
		is, way := walk.NewAvoiding("never", 100, nil).From(begun(t, p, model.Faults{}, true))
		assert.Equal(t, c.want, is)
		assert.Equal(t, c.way, way.String())
	}
}

// A brief one has an alarm before 2, and not at 2.
type brief struct{ early }

func (*brief) Start(env model.Env) { env.After("early", model.Window{Hi: model.Below(2)}) }

// A fault may happen up to the last instant before something has to.
func TestFaultsUpToWhatHasToHappen(t *testing.T) {
	for _, o := range begun(t, alone(func() model.Node { return &brief{} }), model.Faults{Crashes: 1}, true).Offers() {
		assert.Equal(t, "119/60", o.Latest, o.Text)
	}
}

// In an untimed walk places have no instants. An instant beyond the range of clocks is an error.
func TestInstantsOfPlaces(t *testing.T) {
	w := begun(t, alarms, model.Faults{}, false)
	for range 3 {
		require.NoError(t, w.Take(w.Offers()[0], "", nil))
	}
	assert.NotContains(t, w.Place().String(), "@")
	w = begun(t, alarms, model.Faults{}, true)
	assert.ErrorContains(t, w.Take(w.Offers()[0], "999999999999999999", nil), "too late to count")

	fine, err := walk.ParsePlace("1@1/1000003.1@1/999983")
	require.NoError(t, err)
	header := traces.New(alarms, "", model.Config{}, true, "", "")
	_, err = walk.BeginAt(alarms, &header, nil, fine)
	assert.ErrorContains(t, err, "place: step 2: ")
	tr := header
	for _, c := range fine {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "timeout", To: "n", Type: "string", Occurrence: 1, At: c.At, Value: toy.Raw(`"a"`)})
	}
	_, err = walk.BeginAlong(alarms, &header, nil, &tr)
	assert.ErrorContains(t, err, "trace: step 2: ")
}

// Two liars with the same message are distinguished.
func TestTwoLiars(t *testing.T) {
	p := alone(func() model.Node { return &courier{} })
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "l", Byzantine: true}, model.NodeSpec{Name: "m", Byzantine: true})
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{1} }
		return s, err
	}
	tr := traces.New(p, "", model.Config{}, false, "", "")
	tr.Steps = []traces.Step{{Kind: "forge", From: "m", To: "n", Type: "int", Value: toy.Raw("1")}}
	w, err := walk.Begin(p, &tr, nil, 1)
	require.NoError(t, err)
	assert.Equal(t, "f2", w.Place().String())
}

// That Forge failed where a walk was is not so where it goes back to, again and again.
func TestForgeFailsAtAPlace(t *testing.T) {
	p := alone(func() model.Node { return &courier{} })
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "l", Byzantine: true})
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { panic("what should it say") }
		return s, err
	}
	tr := traces.New(p, "", model.Config{}, false, "", "")
	w, err := walk.Begin(p, &tr, nil, 0)
	require.NoError(t, err)
	for range 3 {
		require.Empty(t, w.Run().World.Violations)
		offers := w.Offers()
		require.NotEmpty(t, offers)
		require.Len(t, w.Run().World.Violations, 1)
		_, err := w.Trace()
		require.NoError(t, err)
		require.NoError(t, w.Back(1))
	}
}

// Each place has its share of the steps that searches may take, and of the end of the run it is not asked.
func TestTurnSpendsShares(t *testing.T) {
	p := deciding(decide{})
	header := traces.New(p, "", model.Config{}, false, "", "")
	way, err := walk.ParsePlace("1:1.1")
	require.NoError(t, err)
	for most, want := range map[int]walk.Turning{1: {Inevitable: 2}, 4: {Inevitable: 1}, 1000: {Inevitable: 1}} {
		got, err := walk.Turn(2, "never 2", most, nil, func(step int) (*walk.Walk, error) {
			assert.Less(t, step, 2)
			return walk.BeginAt(p, &header, p.Claims, way[:step])
		})
		require.NoError(t, err)
		want.Other = walk.Place{{Number: 1, Answers: []int{0}}, {Number: 1}} // an additional attempt
		assert.Equal(t, want, got, most)
	}
}
