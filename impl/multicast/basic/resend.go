package basic

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/variant"
)

// A gap shows by a later message only, so that nobody misses the last one; and nobody asks again by
// himself. A sender that sends again while acknowledgements are missing needs neither. Then who
// discards a message has to acknowledge it again, as the first acknowledgement may be lost.

// unacknowledged is the alarm of a sender that waits for acknowledgements.
type unacknowledged struct{}

// resend has senders send again, over channels in which equal messages in flight are one, so that
// a run of which the time-out is too short has finitely many states.
var resend = variant.All(sendAgain, page.Edit(`default:`, `default: env.Send(from, Ack{m.Number})`))

// sendAgain leaves it at "thus it discards it".
var sendAgain = variant.All(variant.Types(unacknowledged{}), variant.Channel(model.Set), variant.EditedNodes(
	func(p Process) EditedProcess { return EditedProcess{Process: p} },
	func(p EditedProcess) model.Node { return &ResendingProcess{p} },
))

// stable makes processes send again and keep all their state in stable storage.
var stable = variant.All(resend, variant.Nodes(func(p ResendingProcess) model.Node { return &StableProcess{p} }))

// A ResendingProcess sends again what is in its history buffer.
type ResendingProcess struct{ EditedProcess }

// Invoke multicasts a message, and waits for acknowledgements.
func (p *ResendingProcess) Invoke(env model.Env, op any) {
	p.EditedProcess.Invoke(env, op)
	p.wait(env)
}

// Receive takes a message of any kind.
func (p *ResendingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.EditedProcess.Receive(env, from, m)
	if len(p.History) == 0 {
		env.Cancel(unacknowledged{})
	}
}

// Timeout sends again what has not been acknowledged by everyone.
func (p *ResendingProcess) Timeout(env model.Env, _ any) {
	for _, number := range slices.Sorted(maps.Keys(p.History)) {
		env.Broadcast(p.cfg.Processes.Others(env.Self()), Data{number, p.History[number].Message})
	}
	p.wait(env)
}

func (p *ResendingProcess) wait(env model.Env) {
	env.After(unacknowledged{}, model.Exactly(p.cfg.Timeout))
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
