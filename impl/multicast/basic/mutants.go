package basic

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var mutants = []model.Variant{
	{
		Name: "half-way", Title: "what happens if the sender crashes half-way: it has sent to one process but not to another",
		Breaks: "agreement", Show: variant.Beyond(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1}), Edit: oneAtATime,
	},
	{
		Name: "crash-and-loss", Title: "a message is lost, and its sender crashes before it sends it again",
		Breaks: "agreement", Show: variant.Beyond(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1, Loss: 1}), Edit: resend,
	},
	{
		Name: "sender-forgets", Title: "a sender crashes and restarts without its memory: its next message has an old number",
		Breaks: "all or none", Show: variant.Beyond(multicast.Sized(2, 1, 2), model.Faults{Restarts: 1}),
		Edit: variant.MayCrash(0),
	},
	{
		Name: "receiver-forgets", Title: "a receiver crashes and restarts without its memory",
		Breaks: "all or none", Show: variant.Beyond(multicast.Sized(2, 1, 2), model.Faults{Restarts: 1}),
		Edit: variant.MayCrash(1),
	},
	{
		Name: "stable-number-only", Title: "a sender keeps S_p in stable storage, but not the history buffer",
		Breaks: "all or none", Show: variant.BeyondInTime(multicast.Sized(2, 1, 1), model.Faults{Restarts: 1, Loss: 1}),
		Edit: variant.All(resend, variant.Nodes(func(p ResendingProcess) model.Node { return &numberedProcess{ResendingProcess: p} }), variant.MayCrash(0)),
	},
	{
		Name: "no-alarm-after-crash", Title: "with stable storage, but nothing is sent again after a crash",
		Breaks: "all or none", Show: variant.BeyondInTime(multicast.Sized(2, 1, 1), model.Faults{Restarts: 1, Loss: 1}),
		Edit: variant.All(resend, variant.Nodes(func(p ResendingProcess) model.Node { return &idleProcess{p} })),
	},
	{
		// An acknowledgement has to be lost. Only the history buffer shows this.
		Name: "discards-silently", Title: "the sender sends again, but a process that has delivered the message discards it, as printed",
		Breaks: "history emptied", Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Loss: 1}), Edit: sendAgain,
	},
	{
		Name: "one-acknowledgement", Title: "a message is removed from the history buffer at the first acknowledgement",
		Breaks: "history kept", Show: model.Check{Config: multicast.Sized(3, 1, 1)},
		Edit: page.Edit(`len(kept.Waiting) == 0`, `len(kept.Waiting) < len(p.cfg.Processes)-1`),
	},
	{
		// Two copies on their way to one process have to be lost, and the other acknowledge twice meanwhile.
		Name: "counts-acknowledgements", Title: "with a sender that sends again: acknowledgements are counted, no matter who sends them",
		Breaks: "history kept", Show: model.Check{Config: variant.Faulty(multicast.Sized(3, 1, 1), model.Faults{Loss: 2}), Reading: model.Grid},
		Edit: variant.All(resend, variant.Nodes(func(p ResendingProcess) model.Node { return &countingProcess{ResendingProcess: p} })),
	},
	{
		// Either of the two options does no harm by itself.
		Name: "cumulative-receipt", Title: "a message in the hold-back queue is acknowledged, for all messages before it too",
		Breaks: "history kept", Show: model.Check{Config: multicast.Sized(2, 1, 2)},
		Edit: variant.All(acknowledgeReceipt, cumulate),
	},
	{
		Name: "drops-early", Title: "a message that arrives early is not kept",
		Breaks: "agreement", Show: model.Check{Config: multicast.Sized(2, 1, 2)},
		Edit: page.Edit(`p.hold(env, from, m)`, `env.Note(multicast.Held{Message: m.Message})`),
	},
	{
		// It takes three messages of one sender, the first of which comes last.
		Name: "delivers-one", Title: "only the next message of the hold-back queue is delivered when a gap closes",
		Breaks: "queued messages are delivered", Show: model.Check{Config: multicast.Sized(2, 1, 3)},
		Edit: page.Edit(`env.Send(from, Ack{number}); p.next(env, from)`, `env.Send(from, Ack{number})`),
	},
	{
		Name: "delivers-early", Title: "a message is delivered though those before it are missing",
		Breaks: "FIFO order", Show: model.Check{Config: multicast.Sized(2, 1, 2)},
		Edit: page.Edit(`case m.Number == last+1: p.deliver(env, from, m)`, `case m.Number > last: p.L[from] = m.Number - 1; p.deliver(env, from, m)`),
	},
	{
		// One process has to ask for a message that is only late, so that another gets it twice, and that
		// before the next.
		Name: "again-if-equal", Title: "S_p = L_Q(P) is not treated as a message that was delivered",
		Breaks: "integrity", Show: model.Check{Config: multicast.Sized(3, 1, 2)},
		Edit: page.Edit(`case m.Number == last+1: p.deliver(env, from, m)`,
			`case m.Number == last || m.Number == last+1: p.L[from] = m.Number - 1; p.deliver(env, from, m)`),
	},
	{
		Name: "one-last-number", Title: "a process records the number of the last message, whoever sent it",
		Breaks: "agreement", Show: model.Check{Config: multicast.Sized(2, 2, 1)},
		Edit: page.Edit(`switch last := p.L[from]; {`, `for _, id := range p.cfg.Processes { p.L[from] = max(p.L[from], p.L[id]) }; switch last := p.L[from]; {`),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: multicast.Sized(2, 1, 1)},
		Edit: page.Edit(`env.Return(nil)`, ``),
	},
}

type numberedProcess struct {
	ResendingProcess
	Last int `contend:"stable"`
}

// Start restores the number from stable storage.
func (p *numberedProcess) Start(model.Env) { p.S = p.Last }

// Invoke writes the number to stable storage.
func (p *numberedProcess) Invoke(env model.Env, op any) {
	p.ResendingProcess.Invoke(env, op)
	p.Last = p.S
}

type idleProcess struct {
	ResendingProcess `contend:"stable"`
}

type countingProcess struct {
	ResendingProcess
	Acks map[int]int // by number
}

// Receive counts acknowledgements: as many as there are other processes count as one from each.
func (p *countingProcess) Receive(env model.Env, from model.NodeID, m any) {
	ack, is := m.(Ack)
	if !is {
		p.ResendingProcess.Receive(env, from, m)
		return
	}
	if p.Acks[ack.Number]++; p.Acks[ack.Number] < len(p.cfg.Processes)-1 {
		return
	}
	for _, id := range p.cfg.Processes.Others(env.Self()) {
		p.ResendingProcess.Receive(env, id, ack)
	}
}
