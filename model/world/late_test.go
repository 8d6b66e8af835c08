package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/rules"
)

// An Env cannot be used after its handler has returned.
func TestAnEnvIsOverWithItsHandler(t *testing.T) {
	for name, use := range map[string]func(env model.Env){
		"Self":    func(env model.Env) { env.Self() },
		"Send":    func(env model.Env) { env.Send(0, "m") },
		"After":   func(env model.Env) { env.After("k", model.Exactly(1)) },
		"Cancel":  func(env model.Env) { env.Cancel("k") },
		"Hold":    func(env model.Env) { env.Hold("k", model.Through(1)) },
		"Held":    func(env model.Env) { env.Held("k") },
		"Choose":  func(env model.Env) { env.Choose(1) },
		"Draw":    func(env model.Env) { env.Draw(1) },
		"Return":  func(env model.Env) { env.Return(nil) },
		"Deliver": func(env model.Env) { env.Deliver("m") },
		"Note":    func(env model.Env) { env.Note("m") },
	} {
		var kept model.Env
		r := start(t, system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) { kept = env; env.Hold("k", model.Through(1)) }}, model.Op{Call: "go"})), untimed)
		r.do(0, model.Invoke, 0)
		late(t, "node c", name, func() { use(kept) })
	}
}

// late checks that a use of an Env is refused, with its line.
func late(t *testing.T, who, name string, use func()) {
	t.Helper()
	defer func() {
		refused, _ := recover().(model.Refused)
		assert.Contains(t, refused.Text, who+" uses its Env after the handler that it was given to has returned (world/late_test.go:", name)
	}()
	use()
}

// Nor with a Watch.
func TestAWatchIsOverWithItsHandler(t *testing.T) {
	for name, use := range map[string]func(w model.Watch){
		"Hold":    func(w model.Watch) { w.Hold("k", model.Through(1)) },
		"Held":    func(w model.Watch) { w.Held("k") },
		"After":   func(w model.Watch) { w.After("k", model.Exactly(1)) },
		"Cancel":  func(w model.Watch) { w.Cancel("k") },
		"Violate": func(w model.Watch) { w.Violate("no") },
		"Witness": func(w model.Watch) { w.Witness() },
		"Measure": func(w model.Watch) { w.Measure(1) },
	} {
		var kept model.Watch
		r := start(t, asking(), untimed, watching(watcher{invoked: func(w model.Watch) { kept = w }}))
		r.do(0, model.Invoke, 0)
		late(t, "claim watched", name, func() { use(kept) })
	}
}

// A handler with endless effects or questions fails, whatever they are. A handler within the bounds does not.
func TestEndlessHandlers(t *testing.T) {
	for name, do := range map[string]func(env model.Env){
		"Send":    func(env model.Env) { env.Send(0, "m") },
		"After":   func(env model.Env) { env.After("k", model.Exactly(1)) },
		"Cancel":  func(env model.Env) { env.Cancel("k") },
		"Hold":    func(env model.Env) { env.Hold("k", model.Through(1)) },
		"Deliver": func(env model.Env) { env.Deliver("m") },
		"Note":    func(env model.Env) { env.Note("m") },
	} {
		for extra, want := range []bool{false, true} {
			r := start(t, system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
				for range rules.MaxEffects + extra {
					do(env)
				}
				panic("enough")
			}}, model.Op{Call: "go"})), untimed)
			r.do(0, model.Invoke, 0)
			require.True(t, r.World.Failed(), name)
			if want {
				assert.Contains(t, r.Violations[0].Text, "does more than 10000 things", name)
			} else {
				assert.Contains(t, r.Violations[0].Text, "enough", name)
			}
		}
	}
}

// A monitor with endless effects or questions fails. Its questions do not count as effects.
func TestEndlessMonitors(t *testing.T) {
	times := func(n int, do func(w model.Watch, k int)) func(w model.Watch) {
		return func(w model.Watch) {
			for k := range n {
				do(w, k)
			}
		}
	}
	act := func(w model.Watch, _ int) { w.Cancel("k") }
	ask := func(w model.Watch, k int) { w.Held(k) }
	same := func(w model.Watch, _ int) { w.Held("k") }
	for name, c := range map[string]struct {
		do   func(w model.Watch)
		want string
	}{
		"acts":      {times(rules.MaxEffects+1, act), "claim watched does more than 10000 things"},
		"asks":      {times(rules.MaxAnswers+1, ask), "claim watched asks for more than 1000 choices"},
		"acts less": {times(rules.MaxEffects, act), ""},
		"asks less": {times(rules.MaxAnswers, ask), ""},
		"asks once": {times(rules.MaxAnswers+1, same), ""},
	} {
		r := start(t, asking(), untimed, watching(watcher{invoked: c.do}))
		r.do(0, model.Invoke, 0)
		if require.Equal(t, c.want != "", r.World.Failed(), name); c.want != "" {
			assert.Contains(t, r.Violations[0].Text, c.want, name)
		}
	}
}

// An answer out of range is refused.
func TestAnswersAreInRange(t *testing.T) {
	for answer, ok := range map[int]bool{-1: false, 0: true, 1: true, 2: false} {
		s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) { env.Choose(2) }}, model.Op{Call: "go"}))
		r := start(t, s, untimed)
		_, err := r.Step(r.of(model.Invoke, 0), 0, func(int, string) int { return answer })
		if assert.Equal(t, ok, err == nil, answer); !ok {
			assert.ErrorContains(t, err, "is not in [0, 2)")
		}
	}
}

// A goal's monitor that calls Violate fails. So does a monitor after a failing claim.
func TestMonitorsThatFail(t *testing.T) {
	goal := watching(watcher{invoked: func(w model.Watch) { w.Violate("no") }})
	goal.Kind = model.Eventually
	r := start(t, asking(), untimed, goal)
	r.do(0, model.Invoke, 0)
	require.True(t, r.World.Failed())
	assert.Contains(t, r.Violations[0].Text, "the monitor of claim watched calls Violate")

	seen := 0
	last := watching(watcher{invoked: func(model.Watch) { seen++ }})
	for fails, want := range map[bool]int{false: 1, true: 0} {
		seen = 0
		first := watching(watcher{invoked: func(model.Watch) {
			if fails {
				panic("no")
			}
		}})
		r := start(t, asking(), untimed, first, last)
		r.do(0, model.Invoke, 0)
		assert.Equal(t, want, seen, "the run is over where a monitor fails")
	}
}

// After a handler failed nothing happens any more: none of its other effects, and no step.
func TestTheRunEndsWhereAHandlerFails(t *testing.T) {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) { env.Note("n"); env.Send(1, "m") }}, model.Op{Call: "go"}), server("s", acts{}))
	fails := model.Claim{Name: "fails", Monitor: func(*model.System) model.Monitor { return &failing{on: model.Noted} }}
	judged := 0
	invariant := model.Claim{Name: "inv", Invariant: func([]model.Node) error { judged++; return nil }}
	s.Faults.Loss = 1
	r := start(t, s, untimed, fails, invariant)
	r.do(0, model.Invoke, 0)
	assert.True(t, r.World.Failed())
	assert.Empty(t, r.Pending(), "what it sends after the note is not sent")
	assert.Empty(t, r.Moves())
	assert.Equal(t, 1, judged, "the last state is no state of the run")

	s.Nodes[0] = client("c", acts{}, model.Op{Call: "go", Release: "leave"}, model.Op{Call: "go on"})
	for _, kind := range []model.ObservationKind{model.Invoked, model.Returned, model.Released} {
		s.Nodes[0].New = func() model.Node { return &puppet{acts: returns} }
		r := start(t, s, untimed, model.Claim{Name: "fails", Monitor: func(*model.System) model.Monitor { return &failing{on: kind} }})
		for !r.World.Failed() {
			moves := r.Moves()
			require.NotEmpty(t, moves)
			_, err := r.Step(moves[0], 0, r.choose)
			require.NoError(t, err)
		}
		for _, e := range r.Pending() {
			assert.Equal(t, model.Return, e.Kind, "%v: %v is pending after the run has ended", kind, e.Kind)
			_, _, ok := r.Fires(e)
			assert.False(t, ok)
		}
		assert.Empty(t, r.Moves())
	}
}

// A failing is a monitor that fails at one kind of observation.
type failing struct {
	on   model.ObservationKind
	Seen int
}

func (f *failing) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == f.on {
		panic("it fails")
	}
}

// An invariant that fails decides nothing: the claim is not violated, and the run continues.
func TestInvariantsThatFail(t *testing.T) {
	r := start(t, asking(), untimed, model.Claim{Name: "inv", Invariant: func(nodes []model.Node) error {
		if len(nodes[0].(*puppet).Log) == 1 {
			panic("no")
		}
		return nil
	}})
	r.do(0, model.Invoke, 0)
	require.NotEmpty(t, r.Violations)
	assert.Equal(t, model.NoHandlerFails, r.Violations[0].Claim)
	assert.Contains(t, r.Violations[0].Text, "Invariant of claim inv: panic: no")
	assert.False(t, r.World.Failed())
	assert.True(t, r.Witnessed["inv"])
}

// A failure of Forge is a violation. The text names the liar and the receiver.
func TestForgeThatFails(t *testing.T) {
	s := byzantine()
	s.Forge = func(_ model.Node, to, from model.NodeID) []any {
		if to == 0 && from == 1 {
			panic("no lies")
		}
		return nil
	}
	r := start(t, s, untimed)
	assert.Empty(t, r.Forgeries())
	require.True(t, r.World.Failed())
	assert.Contains(t, r.Violations[0].Text, "Forge to c from liar: panic: no lies")
}
