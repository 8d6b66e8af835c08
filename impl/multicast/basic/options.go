package basic

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var options = []model.Variant{
	{
		Name: "resend", Title: "the sender sends again while acknowledgements are missing; a process that has delivered the message acknowledges it again",
		Edit: resend, Show: again,
	},
	{
		Name: "stable", Title: "the same, with all state of a process in stable storage",
		Edit: stable, Show: again, Waives: withStableStorage(),
	},
	{
		Name: "to-itself", Title: "reading: a process sends its message to itself too, and delivers it when it arrives",
		Edit: page.Edit(`m := p.outgoing(env, op.(Multicast), p.cfg.Processes.Others(env.Self())); p.deliver(env, env.Self(), m)`,
			`p.outgoing(env, op.(Multicast), p.cfg.Processes)`), Show: model.Check{Config: multicast.Sized(2, 1, 3)},
	},
	{
		Name: "one-at-a-time", Title: "reading: a process sends to one process after another, and may crash half-way",
		Edit: oneAtATime, Show: model.Check{Config: multicast.Sized(3, 2, 1)},
	},
	{
		Name: "acknowledges-receipt", Title: "reading: a process acknowledges a message when it keeps it in the hold-back queue",
		Edit: acknowledgeReceipt, Show: again,
	},
	{
		Name: "cumulative", Title: "an acknowledgement counts for all messages before it",
		Edit: cumulate, Show: again,
	},
	{
		Name: "retransmits-to-one", Title: "a retransmission goes only to the process that asks for it",
		Edit: page.Edit(`env.Broadcast(p.cfg.Processes.Others(env.Self()), Data{number, kept.Message})`, `env.Send(from, Data{number, kept.Message})`), Show: again,
	},
	{
		Name: "fifo", Title: "channels are FIFO",
		Edit: variant.Channel(model.FIFO), Show: again,
	},
}

// again is a check in which processes multicast more than once.
var again = model.Check{Config: multicast.Sized(2, 2, 2)}

// withStableStorage returns the claims that memory loss does not violate in this case. The claims of
// agreement exempt processes that crash, and so require nothing of a sender that does not restart.
func withStableStorage() map[string][]model.Assumption {
	waived := map[string][]model.Assumption{}
	for _, c := range claimed {
		if c.Name != multicast.Agreement {
			waived[c.Name] = []model.Assumption{model.NoMemoryLoss}
		}
	}
	return waived
}

// acknowledgeReceipt is "when everyone has acknowledged receipt", as opposed to "delivered (and
// acknowledged)": a process acknowledges a stored message, and again when it delivers the message from the
// queue.
var acknowledgeReceipt = page.Edit(`p.hold(env, from, m)`, `env.Send(from, Ack{m.Number}); p.hold(env, from, m)`)

// cumulate makes an acknowledgement count for all messages before it: messages are delivered in the
// order of their numbers.
var cumulate = page.Edit(`p.acknowledged(env, from, m.Number)`,
	`for number := 1; number <= m.Number; number++ { p.acknowledged(env, from, number) }`)

// oneAtATime sends each copy of a message in a separate step.
var oneAtATime = variant.All(variant.Types(multicast.Next{}), variant.Nodes(func(p Process) model.Node { return &steppingProcess{Process: p} }))

type steppingProcess struct {
	Process
	Outbox multicast.Outbox
}

// Invoke multicasts a message.
func (p *steppingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(p.Outbox.Through(env), op)
}

// Receive handles a message of any kind.
func (p *steppingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(p.Outbox.Through(env), from, m)
}

// Timeout sends the next copy.
func (p *steppingProcess) Timeout(env model.Env, _ any) { p.Outbox.Step(env) }
