package threephase

import "contend/model"

// The messages of the termination protocol: of a new coordinator, and the answers.
type (
	StateRequest struct{}
	Report       struct{ State State }
)

// Suspect says that a process has crashed. A coordinator waits for it no longer. When all before a
// process have crashed, it is the new coordinator.
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

// Trust is not told: nobody comes back, and no report is wrong.
func (p *Process) Trust(model.Env, model.NodeID) {}

// giveUp aborts a process that has not been asked to vote.
func (p *Process) giveUp(env model.Env) {
	if p.State == Idle {
		p.become(env, Aborted)
	}
}

// terminate follows the termination rules, when the states of all that are up are there.
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

// heardAll reports whether all have answered that are not known to be down.
func (p *Process) heardAll() bool {
	for id := range model.NodeID(p.cfg.N) {
		if _, heard := p.Heard[id]; !heard && !p.Down[id] {
			return false
		}
	}
	return true
}
