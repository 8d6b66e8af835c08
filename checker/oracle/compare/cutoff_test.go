package compare

import (
	"testing"

	"contend/checker/internal/random"
	"contend/model"
)

// A lie leads beyond a cut. What would come there is not known, so nothing is said of what always
// comes at last.
func TestALieBeyondACut(t *testing.T) {
	s := made(model.Faults{}, does{invoke: func(_ *runner, env model.Env) { env.Return(0) }, receive: func(r *runner, _ model.Env, _ model.NodeID, _ any) { r.State = 2 }})
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{0} }
	s.Cuts = beyond(2)
	agrees(t, random.Case{System: s, Claims: []model.Claim{{Name: "done", Kind: model.Eventually, Done: true}}}, plainly)
}

// A server that comes back does so beyond a cut. Its goal is then out of reach as far as the search
// went, which is not for ever.
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

// beyond is a cut behind a state of a runner.
func beyond(state int) []model.Cut {
	return []model.Cut{{Name: "state", Beyond: func(n model.Node) bool { return n.(*runner).State == state }}}
}

// What a server was told before a crash may come once more, and do nothing then. It may also not have
// come yet, when something must happen before it is too late.
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
