package causal

import "contend/model"

// A sender may crash "half-way sending the multicast". So where processes may crash, it sends to
// one after another, each in a step of its own. Where none crashes, to send to all in one step is
// the same: a message may be on its way for as long as it likes.

// sending is the environment in which a process multicasts.
func (p *Process) sending(env model.Env) model.Env {
	if p.cfg.OneByOne {
		return p.Outbox.Through(env)
	}
	return env
}

// Timeout sends the next copy.
func (p *Process) Timeout(env model.Env, _ any) { p.Outbox.Step(env) }
