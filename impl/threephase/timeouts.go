package threephase

import (
	"contend/model"
	"contend/model/variant"
)

// timed is an edit: messages take at most δ, there is no failure detector, and time-outs decide, as
// three-phase commit is often described. A coordinator that misses a vote or an acknowledgement aborts.
// A process that misses the next command aborts if it is idle or ready, and commits if it is precommitted.
func timed(s *model.System) {
	delay := model.Delay.Of(s.Config)
	s.Network.Delay = model.Between(0, delay)
	s.Detector = model.Detector{}
	cfg := s.Setup.(*Config)
	// An answer takes 2δ at most. A command of a coordinator that has waited for it takes δ more.
	cfg.Coordinates = 2*delay + 1
	cfg.Obeys = cfg.Coordinates + delay + 1
	variant.Nodes(func(p Process) model.Node { return &TimedProcess{p} })(s)
}

// late is the alarm of a time-out.
type late struct{}

// A TimedProcess decides when it has waited for long.
type TimedProcess struct{ Process }

// Start waits to be asked.
func (p *TimedProcess) Start(env model.Env) {
	p.Process.Start(env)
	p.arm(env)
}

// Receive waits anew where the state has changed.
func (p *TimedProcess) Receive(env model.Env, from model.NodeID, m any) {
	state, phase := p.State, p.Phase
	p.Process.Receive(env, from, m)
	if p.State != state || p.Phase != phase {
		p.arm(env)
	}
}

// Timeout begins, or waits no longer.
func (p *TimedProcess) Timeout(env model.Env, key any) {
	if _, is := key.(late); is {
		p.expire(env)
		return
	}
	if p.State == Idle {
		p.Process.Timeout(env, key)
		p.arm(env)
	}
}

func (p *TimedProcess) arm(env model.Env) {
	switch {
	case p.Phase != None:
		env.After(late{}, model.Exactly(p.cfg.Coordinates))
	case p.State.decided():
		env.Cancel(late{})
	default:
		env.After(late{}, model.Exactly(p.cfg.Obeys))
	}
}

func (p *TimedProcess) expire(env model.Env) {
	switch {
	case p.Phase != None:
		p.decide(env, Aborted)
	case p.State == Precommitted:
		p.become(env, Committed)
	default:
		p.become(env, Aborted)
	}
}
