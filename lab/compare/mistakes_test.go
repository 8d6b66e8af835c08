package compare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker/search"
	"contend/lab/random"
	"contend/model"
)

// A forged message leads beyond a cut. The states there are unknown, so an eventual claim is undecided.
func TestALieBeyondACut(t *testing.T) {
	s := made(model.Faults{}, does{invoke: func(_ *runner, env model.Env) { env.Return(0) }, receive: func(r *runner, _ model.Env, _ model.NodeID, _ any) { r.State = 2 }})
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{0} }
	s.Cuts = beyond(2)
	agrees(t, random.Case{System: s, Claims: []model.Claim{{Name: "done", Kind: model.Eventually, Done: true}}}, plainly)
}

// A server restarts beyond a cut. Its goal is then unreachable within the search, but not for ever.
func TestARestartBeyondACut(t *testing.T) {
	s := made(model.Faults{Restarts: 1}, does{
		start: func(r *runner, env model.Env) {
			if r.Of != 0 {
				r.State = 2
			}
			env.After("next", model.Anytime())
		},
		timeout: func(r *runner, env model.Env) {
			if r.Of == 0 {
				r.Of = 1
				env.After("next", model.Anytime())
				return
			}
			env.Note(0)
			env.Note(0)
		},
	})
	s.Cuts = beyond(2)
	agrees(t, random.Case{System: s, Claims: []model.Claim{watched(model.PossibleFromEverywhere, saw{first: model.Noted, then: model.Noted})}}, plainly)
}

// beyond returns a cut after a state of a runner.
func beyond(state int) []model.Cut {
	return []model.Cut{{Name: "state", Beyond: func(n model.Node) bool { return n.(*runner).State == state }}}
}

// A message that a server received before a crash may arrive again, without effect. Or it may not have
// arrived yet, and the effect must happen before it is too late.
func TestWhatMayComeAgainNeedNotHaveCome(t *testing.T) {
	s := made(model.Faults{Restarts: 1},
		does{
			invoke:  func(_ *runner, env model.Env) { env.Send(1, 0); env.After("late", model.Exactly(2)) },
			timeout: func(_ *runner, env model.Env) { env.Note(2) },
		},
		does{
			start: func(r *runner, env model.Env) {
				if r.Of != 0 {
					env.Note(1)
				}
			},
			receive: func(r *runner, env model.Env, _ model.NodeID, _ any) { r.Of = env.Self() },
		})
	s.Network.Delay = model.By(3)
	early := func(*model.System) model.Monitor { return &early{} }
	refutes(t, random.Case{System: s, Reading: model.Grid, Claims: []model.Claim{{Name: "late", Kind: model.Always, Monitor: early}}}, plainly, reduced)
}

// early claims that 2 is noted before 1.
type early struct{ Late bool }

func (e *early) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Noted && o.Value == 2:
		e.Late = true
	case o.Kind == model.Noted && !e.Late:
		w.Violate("1 is noted first")
	}
}

// A client that is down and restarts has not finished its script: an operation never returns.
func TestWhoComesBackIsNotDone(t *testing.T) {
	s := made(model.Faults{Restarts: 1}, does{invoke: func(*runner, model.Env) {}})
	s.Nodes[0].Crash = model.CrashRecovery
	s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: 0})
	for _, kind := range []model.Kind{model.Sometimes, model.Always} {
		agrees(t, random.Case{System: s, Claims: []model.Claim{{Name: "done", Kind: kind, Done: true}}}, plainly)
	}
}

// An invocation that has returned does not return again before its return is seen.
func TestTwoReturnsOfOneInvocation(t *testing.T) {
	s := made(model.Faults{}, does{
		invoke:  func(_ *runner, env model.Env) { env.Return(0); env.After("again", model.Anytime()) },
		timeout: func(_ *runner, env model.Env) { env.Return(0) },
	})
	s.Returned = model.Anytime()
	agrees(t, random.Case{System: s, Claims: []model.Claim{{Name: "done", Done: true}}, Fails: true}, plainly)
}

// A message that arrives again is outside of its channel's queue. Its arrival does not advance the queue.
func TestWhatComesAgainMovesNothingUp(t *testing.T) {
	s := made(model.Faults{Restarts: 1}, does{
		invoke:  func(_ *runner, env model.Env) { env.Send(1, 1); env.After("more", model.Anytime()) },
		timeout: func(_ *runner, env model.Env) { env.Send(1, 2); env.Send(1, 3) },
	}, does{receive: func(r *runner, _ model.Env, _ model.NodeID, m any) { r.State = r.State*4 + m.(int) }})
	s.Network.Channel = model.FIFO
	nothing := model.Claim{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}
	agrees(t, random.Case{System: s, Claims: []model.Claim{nothing}}, plainly)
}

// A goal that only an open end of a window, read as closed, leads to is not said to be possible.
func TestAGoalAtAnOpenEnd(t *testing.T) {
	begins := func(_ *runner, env model.Env) {
		env.After("first", model.Window{Lo: model.Through(0), Hi: model.Below(1)})
		env.Send(0, 0)
	}
	s := made(model.Faults{}, does{
		start:   begins,
		timeout: func(r *runner, _ model.Env) { r.State = 1 },
		receive: func(r *runner, env model.Env, _ model.NodeID, _ any) {
			if r.State == 0 {
				env.Note(0)
				env.Note(0)
			}
			r.State = 0
			begins(r, env)
		},
	})
	s.Network.Delay = model.Exactly(1)
	agrees(t, random.Case{System: s, Reading: model.Grid, Claims: []model.Claim{watched(model.PossibleFromEverywhere, saw{first: model.Noted, then: model.Noted})}}, plainly)
}

// Why a claim is left open that rests on a handler which fails is the failure, and no cut.
func TestFailuresAreNoCuts(t *testing.T) {
	s := made(model.Faults{}, does{invoke: func(_ *runner, env model.Env) { env.Send(1, 0) }},
		does{receive: func(_ *runner, _ model.Env, _ model.NodeID, _ any) { model.Assert(false, "it never arrives") }})
	for _, kind := range []model.Kind{model.PossibleFromEverywhere, model.Eventually} {
		r, err := search.Run(s, []model.Claim{{Name: "done", Kind: kind, Done: true}}, search.Options{})
		require.NoError(t, err)
		require.Equal(t, search.Failure, r.Claims[0].Limit.Code)
	}
}
