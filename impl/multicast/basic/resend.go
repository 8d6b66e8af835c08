package basic

import (
	"maps"
	"slices"

	"contend/model"
)

// A gap shows by a later message only, so that nobody misses the last one; and nobody asks again by
// himself. A sender that sends again while acknowledgements are missing needs neither. Then who
// discards a message has to acknowledge it again, as the first acknowledgement may be lost.

// unacknowledged is the alarm of a sender that waits for acknowledgements.
type unacknowledged struct{}

// resend has senders send again, over channels in which equal messages in flight are one, so that
// a run of which the time-out is too short has finitely many states.
func resend(s *model.System) {
	sendAgain(s)
	setup(s).Again = setup(s).Acknowledge
}

func sendAgain(s *model.System) {
	s.Types = append(s.Types, unacknowledged{})
	s.Network.Channel = model.Set
	replace(func(p Process) model.Node { return &ResendingProcess{p} })(s)
}

// A ResendingProcess sends again what is in its history buffer.
type ResendingProcess struct{ Process }

// Invoke multicasts a message, and waits for acknowledgements.
func (p *ResendingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(env, op)
	p.wait(env)
}

// Receive takes a message of any kind.
func (p *ResendingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	if len(p.History) == 0 {
		env.Cancel(unacknowledged{})
	}
}

// Timeout sends again what has not been acknowledged by everyone.
func (p *ResendingProcess) Timeout(env model.Env, _ any) {
	for _, number := range slices.Sorted(maps.Keys(p.History)) {
		env.Broadcast(p.others(env), Data{number, p.History[number].Message})
	}
	p.wait(env)
}

func (p *ResendingProcess) wait(env model.Env) {
	env.After(unacknowledged{}, model.Exactly(p.cfg.Timeout))
}

// stable makes processes send again and keep all their state in stable storage.
func stable(s *model.System) {
	resend(s)
	replace(func(p Process) model.Node { return &StableProcess{ResendingProcess{p}} })(s)
}

// A StableProcess has stable storage.
type StableProcess struct {
	ResendingProcess `contend:"stable"`
}

// Start sets the alarm, which a crash has cleared.
func (p *StableProcess) Start(env model.Env) {
	if len(p.History) > 0 {
		p.wait(env)
	}
}
