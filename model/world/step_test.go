package world_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

func TestStepErrors(t *testing.T) {
	s := system(client("c", acts{invoke: tell(1, "m")}, model.Op{After: model.Between(2, 4)}), server("s", acts{}))
	s.Network.Delay = model.Between(1, 3)
	r := start(t, s, timed)
	assert.EqualError(t, r.refused(1, r.of(model.Invoke, 0)), "the event cannot fire at 1: its time is from 2 to 4")
	assert.EqualError(t, r.refused(5, r.of(model.Invoke, 0)), "the event cannot fire at 5: its time is from 2 to 4")
	r.do(2, model.Invoke, 0)
	assert.EqualError(t, r.refused(1, r.of(model.Deliver, 1)), "time runs backwards: the step is at 1, but it is 2 already")
	for kind, want := range map[model.EventKind]string{
		model.Lose:      "the environment has no lose to spend at s",
		model.Duplicate: "the environment has no duplicate to spend at s",
		model.Crash:     "the environment has no crash to spend at c",
		model.Restart:   "the environment has no restart to spend at c",
		model.Forge:     "the environment has no forge to spend at c",
	} {
		m := world.Move{Kind: kind}
		if kind == model.Lose || kind == model.Duplicate {
			m.Event = r.event(model.Deliver, 1)
		}
		assert.EqualError(t, r.refused(2, m), want)
	}
}

// The environment's moves do not delay others, and cannot pass a deadline.
func TestFaultsKeepDeadlines(t *testing.T) {
	s := system(client("c", acts{}, model.Op{After: model.Window{Hi: model.Below(3)}}))
	s.Faults.Crashes = 1
	r := start(t, s, timed)
	assert.EqualError(t, r.refused(3, world.Move{Kind: model.Crash}), "the step is at 3, but something pending had to happen by 3")
	r.move(2, world.Move{Kind: model.Crash})
}

func TestMovesListsFaultsWithinBudget(t *testing.T) {
	s := talk(model.Bag, "a")
	s.Faults = model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1}
	r := start(t, s, timed)
	r.do(0, model.Invoke, 0)
	var got []string
	for _, m := range r.Moves() {
		got = append(got, m.Kind.String())
	}
	assert.Equal(t, []string{"deliver", "lose", "duplicate", "crash", "crash"}, got)
}

// cutAt puts states with a longer log beyond a cut.
func cutAt(s *model.System, length int) *model.System {
	s.Cuts = []model.Cut{{Name: "log", Beyond: func(n model.Node) bool { return len(n.(*puppet).Log) > length }}}
	return s
}

// A move beyond a cut does not happen: its event stays pending and does not fire any more, and the handler
// has no visible effect.
func TestCuts(t *testing.T) {
	for _, tc := range []struct {
		kind model.EventKind
		node model.NodeID
	}{{model.Invoke, 0}, {model.Timeout, 0}, {model.Deliver, 1}} {
		everything := func(env model.Env) {
			env.Send(1, "more")
			env.Hold("h", model.Through(5))
			env.After("l", model.Exactly(5))
			env.Cancel("k")
			env.Note("note")
		}
		a := acts{
			start:   func(_ *puppet, env model.Env) { env.After("k", model.By(5)); env.Send(1, "first") },
			invoke:  func(_ *puppet, env model.Env, _ any) { everything(env) },
			receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) { everything(env) },
			timeout: func(_ *puppet, env model.Env, _ any) { everything(env) },
		}
		s := cutAt(system(client("c", a, model.Op{Call: "go", After: model.By(5)}), client("d", a)), 0)
		s.Network.Delay = model.By(5)
		r := start(t, s, timed, model.Claim{Name: "seen", Monitor: func(*model.System) model.Monitor { return &recorder{} }})
		m := r.of(tc.kind, tc.node)
		before := r.Pending()
		require.Equal(t, world.ErrCut{Name: "log"}, r.refused(3, m))
		assert.Equal(t, before, r.Pending(), "in the same place")
		assert.Equal(t, map[string]bool{"log": true}, r.Cut)
		_, _, ok := r.Fires(m.Event)
		assert.False(t, ok, "it does not fire any more")
		assert.NotContains(t, r.Moves(), m)
		assert.Empty(t, r.log(tc.node))
		assert.False(t, r.Stuck(), "a cut is to blame")
	}
}

func TestErrCutText(t *testing.T) {
	assert.EqualError(t, world.ErrCut{Name: "tries"}, "the move leads beyond the cut tries")
}

// A forgery beyond a cut does not happen either, and may be tried again.
func TestForgeBeyondACut(t *testing.T) {
	r := start(t, cutAt(byzantine(), 0), untimed)
	require.ErrorAs(t, r.refused(0, r.Forgeries()[0]), new(world.ErrCut))
	assert.Len(t, r.Forgeries(), 2)
}

// fails executes a step in which a handler fails, and returns the violation.
func (r *run) fails(m world.Move) string {
	rec, err := r.Step(m, 0, r.choose)
	require.NoError(r, err)
	require.True(r, r.World.Failed())
	assert.Empty(r, rec.Sent, "it does nothing")
	assert.Empty(r, r.Moves(), "the run is over")
	_, err = r.Step(m, 0, r.choose)
	assert.EqualError(r, err, "a handler failed, and the run ended there")
	require.Len(r, r.Violations, 1)
	assert.Equal(r, model.NoHandlerFails, r.Violations[0].Claim)
	return r.Violations[0].Text
}

// What the model does not allow violates the protocol; the text names the node.
func TestMisuse(t *testing.T) {
	for want, handler := range map[string]func(env model.Env){
		"node c sends to node 9, which does not exist":                            func(env model.Env) { env.Send(9, "m") },
		"node c sends to node -1, which does not exist":                           func(env model.Env) { env.Broadcast([]model.NodeID{0, -1}, "m") },
		"node c arms an alarm: window [2, 1]: the upper bound is below the lower": func(env model.Env) { env.After("k", model.Between(2, 1)) },
		"node c holds for -1 ticks, but a hold lasts 0 to 1073741824":             func(env model.Env) { env.Hold("k", model.Through(-1)) },
		"node c holds for 1073741825 ticks, but a hold lasts 0 to 1073741824":     func(env model.Env) { env.Hold("k", model.Through(model.MaxTicks+1)) },
		"a handler chooses among 0, but may among 1 to 65536":                     func(env model.Env) { env.Choose(0) },
		"node c returns, but no invocation runs":                                  func(env model.Env) { env.Return(1); env.Return(2) },
	} {
		r := start(t, system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) { handler(env) }}, model.Op{})), timed)
		assert.Regexp(t, "^"+regexp.QuoteMeta("Invoke of c: "+want)+` \(world/step_test.go:\d+\)$`, r.fails(r.of(model.Invoke, 0)))
	}
}

// A type that is not listed is an error: no trace could be read that has its values.
func TestUnlistedTypesAreRefused(t *testing.T) {
	r := start(t, system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) { env.Send(0, model.Bound{}) }}, model.Op{})), timed)
	_, err := r.Step(r.of(model.Invoke, 0), 0, r.choose)
	assert.EqualError(t, err, "type model.Bound is used as a message, key, result, state of an object or other interface value, but System.Types does not list it")
}

func TestReturnWithoutAnInvocation(t *testing.T) {
	a := acts{receive: func(_ *puppet, env model.Env, _ model.NodeID, _ any) { env.Return(nil) }}
	s := talk(model.Bag, "m")
	s.Nodes[1] = server("s", a)
	r := start(t, s, untimed)
	r.do(0, model.Invoke, 0)
	assert.Contains(t, r.fails(r.of(model.Deliver, 1)), "Receive of s on \"m\" from c: node s returns, but no invocation runs (")

	release := acts{invoke: func(_ *puppet, env model.Env, op any) { env.Return(op) }}
	r = start(t, system(client("c", release, model.Op{Call: "go", Release: "leave"})), untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	assert.Contains(t, r.fails(r.of(model.Release, 0)), "node c returns, but no invocation runs", "nothing returns from a release")
}

func TestMisuseInStart(t *testing.T) {
	for want, handler := range map[string]func(p *puppet, env model.Env){
		"node s returns, but no invocation runs": func(_ *puppet, env model.Env) { env.Return(nil) },
	} {
		w, err := world.New(system(server("s", acts{start: handler})), nil, untimed)
		require.NoError(t, err)
		require.Len(t, w.Violations, 1)
		assert.Contains(t, w.Violations[0].Text, "Start of s: "+want)
		assert.True(t, w.Failed())
	}
	_, err := world.New(cutAt(system(server("s", acts{start: func(p *puppet, _ model.Env) { p.say("one too many") }})), 0), nil, untimed)
	assert.EqualError(t, err, "node s: Start leads beyond a cut")
}

// So does a panic that is a handler's own, and an assertion.
func TestPanicsAreViolations(t *testing.T) {
	var none []int
	for want, handler := range map[string]func(){
		"panic: bug": func() { panic("bug") },
		"panic: runtime error: index out of range [0] with length 0": func() { none[0]++ },
		"panic: strings: negative Repeat count":                      func() { none = make([]int, len(strings.Repeat("x", -1))) },
		"assertion: 1 is not 2":                                      func() { model.Assert(false, "%d is not %d", 1, 2) },
	} {
		r := start(t, system(client("c", acts{invoke: func(*puppet, model.Env, any) { handler() }}, model.Op{})), untimed)
		assert.Regexp(t, "^"+regexp.QuoteMeta("Invoke of c: "+want)+` \(world/step_test.go:\d+\)$`, r.fails(r.of(model.Invoke, 0)))
	}
	assert.NotPanics(t, func() { model.Assert(true, "all is well") })
}

// A handler with too many effects or choices is assumed to be endless.
func TestEndlessEffectsAreViolations(t *testing.T) {
	for want, handler := range map[string]func(env model.Env){
		"node c does more than 10000 things":      func(env model.Env) { env.Send(0, "m") },
		"node c asks for more than 1000 choices":  func(env model.Env) { env.Choose(2) },
		"node c asks for more than 1000 choices ": func(env model.Env) { env.Held("k"); env.Draw(1) },
	} {
		r := start(t, system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
			for {
				handler(env)
			}
		}}, model.Op{})), timed)
		assert.Contains(t, r.fails(r.of(model.Invoke, 0)), strings.TrimSpace(want))
	}
}

func TestTraceKeepsStates(t *testing.T) {
	r := start(t, system(client("c", acts{}, model.Op{Call: "go"})), world.Options{Trace: true})
	rec := r.do(0, model.Invoke, 0)
	assert.Empty(t, rec.Before.(*puppet).Log)
	assert.Equal(t, []string{"invoke go"}, rec.After.(*puppet).Log)
}
