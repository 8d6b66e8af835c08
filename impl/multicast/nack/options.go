package nack

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var options = []model.Variant{
	{
		Name: "repeats", Title: "reading: a process repeats its NACK until the message arrives",
		Edit: repeat, Show: again, Unclaimed: repeated,
	},
	{
		Name: "session", Title: "the same, and senders announce the number of their last message from time to time",
		Edit: tellLast, Show: model.Check{Config: multicast.Sized(2, 1, 2)}, Unclaimed: repeated,
	},
	{
		// A process waits a little longer, so that a late message arrives first.
		Name: "slotted", Title: "process i waits for i times more than 2δ before a NACK",
		Edit: page.Edit(`model.Uniform(0, p.cfg.Spread)`, `model.Exactly(model.Ticks(env.Self()+1) * (2*p.cfg.Delay + 1))`), Show: model.Check{Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Loss: 2}), Reading: model.Grid, Claims: []string{"only one NACK", "suppression"}},
	},
	{
		Name: "heard-first", Title: "reading: a NACK also suppresses those of processes that have not yet found the message missing",
		Edit: page.Edit(`p.suppress(env, m)`, `if m.Number > p.L[m.Sender] && !p.HoldBack[m.Sender][m.Number] {
			p.Missing[m] = true
		}
		p.suppress(env, m)`), Show: again,
	},
	{
		Name: "no-wait", Title: "a NACK is sent at once",
		Edit: page.Edit(`model.Uniform(0, p.cfg.Spread)`, `model.Exactly(0)`), Show: again,
		Unclaimed: []string{"only one NACK"},
	},
	{
		Name: "one-at-a-time", Title: "reading: a process sends to one process after another, and may crash half-way",
		Edit: oneAtATime, Show: model.Check{Config: multicast.Sized(2, 2, 2)},
	},
	{
		Name: "fifo", Title: "channels are FIFO",
		Edit: variant.Channel(model.FIFO), Show: again,
	},
}

// again is a check in which processes multicast more than once.
var again = model.Check{Config: multicast.Sized(2, 2, 2)}

// repeated are the claims that repeated NACKs violate.
var repeated = []string{"only one NACK", "suppression"}

// repeat makes processes repeat a NACK until the message arrives. Channels merge equal messages in flight, so the
// number of states is finite.
var repeat = variant.All(variant.Channel(model.Set), page.Edit(`p.suppress(env, m)`, `p.postpone(env, m)`,
	`env.Note(Asks{m}); env.Broadcast(p.cfg.Group.Others(env.Self()), m)`,
	`env.Note(Asks{m}); env.Broadcast(p.cfg.Group.Others(env.Self()), m); p.again(env, m)`))

// postpone sets the alarm of a NACK again.
func (p *Process) postpone(env model.Env, heard NACK) {
	if p.Missing[heard] {
		p.again(env, heard)
		env.Note(Suppressed{heard})
	}
}

// again sets the alarm of a NACK after the latest answer and a random delay.
func (p *Process) again(env model.Env, m NACK) {
	answer, wait := 2*p.cfg.Delay+1, p.delay(env)
	wait.Lo.At += answer
	wait.Hi.At += answer
	env.After(m, wait)
}

// tellLast also makes senders announce the number of their last message.
var tellLast = variant.All(repeat, variant.Types(Last{}, session{}),
	variant.Nodes(func(p EditedProcess) model.Node { return &TellingProcess{p} }))

// oneAtATime sends each copy of a message in a separate step.
var oneAtATime = variant.All(variant.Types(multicast.Next{}),
	variant.Nodes(func(p Process) model.Node { return &steppingProcess{Process: p} }))

type steppingProcess struct {
	Process
	Outbox multicast.Outbox
}

// Invoke multicasts a message.
func (p *steppingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(p.Outbox.Through(env), op)
}

// Receive handles any message.
func (p *steppingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(p.Outbox.Through(env), from, m)
}

// Timeout sends the next copy, or a NACK.
func (p *steppingProcess) Timeout(env model.Env, key any) {
	if _, next := key.(multicast.Next); next {
		p.Outbox.Step(env)
		return
	}
	p.Process.Timeout(p.Outbox.Through(env), key)
}
