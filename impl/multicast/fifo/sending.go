package fifo

import "contend/model"

// A sender may crash "half-way sending the multicast". So if processes may crash, each copy is sent in a separate step.
// Without crashes, one step for all copies is equivalent, because messages have any delay.

// sending returns the environment in which a process multicasts.
func (p *Process) sending(env model.Env) model.Env {
	if p.cfg.OneByOne {
		return p.Outbox.Through(env)
	}
	return env
}

// Timeout sends the next copy.
func (p *Process) Timeout(env model.Env, _ any) { p.Outbox.Step(env) }
