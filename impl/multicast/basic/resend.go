package basic

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/variant"
)

// Only a later message reveals a gap. So nobody misses the last message, and nobody repeats a request
// spontaneously. If a sender sends again while acknowledgements are missing, neither is necessary. Then a
// process that discards a message has to acknowledge it again, since the first acknowledgement may be lost.

// unacknowledged is the alarm of a sender that waits for acknowledgements.
type unacknowledged struct{}

// resend makes senders send again. Its channels merge equal messages in flight, so that a run with too short
// a time-out has finitely many states.
var resend = variant.All(sendAgain, page.Edit(`default:`, `default: env.Send(from, Ack{m.Number})`))

// sendAgain leaves it at "thus it discards it".
var sendAgain = variant.All(variant.Types(unacknowledged{}), variant.Channel(model.Set), variant.EditedNodes(
	func(p Process) EditedProcess { return EditedProcess{Process: p} },
	func(p EditedProcess) model.Node { return &ResendingProcess{p} },
))

// stable makes processes send again and store all their state in stable storage.
var stable = variant.All(resend, variant.Nodes(func(p ResendingProcess) model.Node { return &StableProcess{p} }))

// A ResendingProcess sends the messages in its history buffer again.
type ResendingProcess struct{ EditedProcess }

// Invoke multicasts a message, and waits for acknowledgements.
func (p *ResendingProcess) Invoke(env model.Env, op any) {
	p.EditedProcess.Invoke(env, op)
	p.wait(env)
}

// Receive handles a message of any kind.
func (p *ResendingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.EditedProcess.Receive(env, from, m)
	if len(p.History) == 0 {
		env.Cancel(unacknowledged{})
	}
}

// Timeout sends again each message that some process has not acknowledged.
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

// Start sets the alarm, since a crash has cleared it.
func (p *StableProcess) Start(env model.Env) {
	if len(p.History) > 0 {
		p.wait(env)
	}
}
