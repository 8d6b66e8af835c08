package tokenring

import (
	"contend/impl/mutex"
	"contend/model"
)

// "If the token is ever lost, it must be regenerated"; "Detecting token loss is difficult, requires
// coordination". One process, the first, regenerates it when it has not returned for longer than a
// round can take: N messages, and a section of each other process.

// overdue is the alarm for a token that does not return.
type overdue struct{}

// A RegeneratingProcess makes a new token when the one that it forwarded does not return.
type RegeneratingProcess struct {
	Process
	round model.Ticks // more than the token takes
}

// Start sends the token on its first round.
func (p *RegeneratingProcess) Start(env model.Env) {
	p.Process.Start(env)
	env.After(overdue{}, model.Exactly(p.round))
}

// Invoke awaits the token after an exit.
func (p *RegeneratingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(env, op)
	if _, leaving := op.(mutex.Release); leaving {
		env.After(overdue{}, model.Exactly(p.round))
	}
}

// Receive takes the token.
func (p *RegeneratingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	p.await(env)
}

// Timeout makes a new token.
func (p *RegeneratingProcess) Timeout(env model.Env, _ any) {
	p.take(env)
	p.await(env)
}

// await expects the token back if it was passed on.
func (p *RegeneratingProcess) await(env model.Env) {
	if p.Inside {
		env.Cancel(overdue{})
	} else {
		env.After(overdue{}, model.Exactly(p.round))
	}
}

// regenerate lets the first processes regenerate the token, off ticks later than is right; off may
// be negative.
func regenerate(processes int, off model.Ticks) func(*model.System) {
	return func(s *model.System) {
		s.Types = append(s.Types, overdue{})
		n := model.Ticks(s.Config.N)
		round := n*model.Delay.Of(s.Config) + (n-1)*mutex.Section.Of(s.Config) + 1 + off
		for i := range min(processes, s.Config.N) {
			s.Nodes[i].New = func() model.Node { return &RegeneratingProcess{Process{n: model.NodeID(n)}, round} }
		}
	}
}
