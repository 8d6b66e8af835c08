package threephase

import (
	"contend/model"
	"contend/model/variant"
)

// timed makes time-outs decide, as three-phase commit is often described. Messages take at most δ, and there is no
// failure detector. A coordinator aborts if a vote or an acknowledgement is late. If a command is late, an idle or
// ready process aborts, and a precommitted process commits.
func timed(s *model.System) {
	delay := model.Delay.Of(s.Config)
	s.Network.Delay = model.Between(0, delay)
	s.Detector = model.Detector{}
	cfg := s.Setup.(*Config)
	// An answer takes at most 2δ. The next command of the waiting coordinator takes at most δ more.
	cfg.Coordinates = 2*delay + 1
	cfg.Obeys = cfg.Coordinates + delay + 1
	variant.Nodes(func(p Process) model.Node { return &TimedProcess{p} })(s)
}

// late is the alarm of a time-out.
type late struct{}

// A TimedProcess decides after a time-out.
type TimedProcess struct{ Process }

// Start sets the alarm of the first command.
func (p *TimedProcess) Start(env model.Env) {
	p.Process.Start(env)
	p.arm(env)
}

// Receive resets the alarm if the state or phase has changed.
func (p *TimedProcess) Receive(env model.Env, from model.NodeID, m any) {
	state, phase := p.State, p.Phase
	p.Process.Receive(env, from, m)
	if p.State != state || p.Phase != phase {
		p.arm(env)
	}
}

// Timeout begins the protocol, or decides after a time-out.
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
