package threephase

import "contend/model"

// The messages of the termination protocol: the request of a new coordinator, and the answer.
type (
	StateRequest struct{}
	Report       struct{ State State }
)

// Suspect handles a crash. The failure detector calls it after each crash. A coordinator no longer waits for the
// crashed process. A process whose predecessors have all crashed becomes the coordinator.
func (p *Process) Suspect(env model.Env, id model.NodeID) {
	p.Down[id] = true
	if p.Phase != None {
		p.proceed(env)
		return
	}
	if p.Coordinator != env.Self() && p.cfg.Rules.TakesOver(p, env.Self()) {
		p.Coordinator = env.Self()
		p.giveUp(env)
		p.wait(env, States)
		env.Broadcast(p.others(env), StateRequest{})
		p.proceed(env)
	}
}

// Trust does nothing. The failure detector does not call it, because processes do not restart and reports are right.
func (p *Process) Trust(model.Env, model.NodeID) {}

// giveUp aborts a process that has not voted.
func (p *Process) giveUp(env model.Env) {
	if p.State == Idle {
		p.become(env, Aborted)
	}
}

// terminate applies the termination rules after the answers of all processes that are up.
func (p *Process) terminate(env model.Env) {
	if !p.heardAll() {
		return
	}
	switch s := p.cfg.Rules.Terminates(p.Heard); s {
	case Precommitted:
		var uncertain []model.NodeID
		for _, id := range p.others(env) {
			if p.Heard[id] == Ready {
				uncertain = append(uncertain, id)
			}
		}
		p.precommit(env, uncertain)
	default:
		p.decide(env, s)
	}
}

// heardAll reports whether all processes have answered or crashed.
func (p *Process) heardAll() bool {
	for id := range model.NodeID(p.cfg.N) {
		if _, heard := p.Heard[id]; !heard && !p.Down[id] {
			return false
		}
	}
	return true
}
