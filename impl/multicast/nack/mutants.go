package nack

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var mutants = []model.Variant{
	{
		Name: "half-way", Title: "the sender crashes half-way: it has sent to one process but not to another",
		Breaks: "agreement", Show: variant.Beyond(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1}), Edit: oneAtATime,
	},
	{
		Name: "crash-and-loss", Title: "a message is lost, and its sender crashes before the NACK arrives",
		Breaks: "agreement", Show: variant.Beyond(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1, Loss: 1}), Edit: tellLast,
	},
	{
		Name: "restarts", Title: "a process crashes and restarts without its memory",
		Breaks: "queued messages are delivered", Show: variant.Beyond(multicast.Sized(2, 1, 2), model.Faults{Restarts: 1}),
	},
	{
		Name: "deletes", Title: "in practice, messages are deleted after some time",
		Breaks: "agreement", Show: variant.Beyond(multicast.Sized(2, 1, 2), model.Faults{Loss: 1}),
		Edit: variant.All(variant.Types(forget{}), page.Edit(
			`env.Return(nil)`, `env.Return(nil); env.After(forget{p.S}, model.Exactly(10*p.cfg.Delay))`,
			`m := key.(NACK)`, `if f, is := key.(forget); is { delete(p.History, f.Number); return }
			m := key.(NACK)`)),
	},
	{
		Name: "not-suppressed", Title: "a process sends its NACK even after it has received one",
		Breaks: "suppression", Show: model.Check{Config: multicast.Sized(3, 1, 2)},
		Edit: page.Edit(`env.Cancel(heard)`, ``),
	},
	{
		// One message must be lost and another late, on the way to different processes. The NACK of the late message
		// must arrive while the other process waits.
		Name: "any-suppresses", Title: "a NACK suppresses those of other messages of that sender too",
		Breaks: "queued messages are delivered", Show: variant.Beyond(multicast.Sized(3, 1, 3), model.Faults{Loss: 1}),
		Edit: page.Edit(`p.suppress(env, m)`, `p.suppressAll(env, m)`),
	},
	{
		// The message and its retransmission must be lost on the way to one process. Another process's NACK
		// must suppress this process. The other process received the message too late only.
		Name: "suppressed-for-good", Title: "a process repeats its own NACK, but not one that was suppressed",
		Breaks: "queued messages are delivered", Show: variant.Beyond(multicast.Sized(3, 1, 2), model.Faults{Loss: 2}),
		Edit: variant.All(variant.Channel(model.Set), page.Edit(`env.Note(Asks{m}); env.Broadcast(p.cfg.Group.Others(env.Self()), m)`,
			`env.Note(Asks{m}); env.Broadcast(p.cfg.Group.Others(env.Self()), m); p.again(env, m)`)),
	},
	{
		// The edit is harmless if acknowledgements are awaited. Here a suppressed process relies on the retransmission.
		Name: "retransmits-to-one", Title: "a retransmission goes only to the process that sent the NACK",
		Breaks: "queued messages are delivered", Show: variant.Beyond(multicast.Sized(3, 1, 2), model.Faults{Loss: 1}),
		Edit: page.Edit(`env.Broadcast(p.cfg.Group.Others(env.Self()), Data{m.Number})`, `env.Send(from, Data{m.Number})`),
	},
	{
		Name: "first-missing-only", Title: "a process sends a NACK only of the first missing message, again and again",
		Breaks: "queued messages are delivered", Show: variant.Beyond(multicast.Sized(2, 1, 3), model.Faults{Loss: 2}),
		Edit: variant.All(repeat, page.Edit(`env.After(m, p.delay(env))`, `env.After(m, p.delay(env)); return`)),
	},
	{
		Name: "slotted-to-sender", Title: "waits are slotted, and a NACK goes only to the sender",
		Breaks: "only one NACK", Show: variant.BeyondInTime(multicast.Sized(3, 1, 2), model.Faults{Loss: 2}),
		Edit: page.Edit(`model.Uniform(0, p.cfg.Spread)`, `model.Exactly(model.Ticks(env.Self()+1) * (2*p.cfg.Delay + 1))`,
			`env.Note(Asks{m}); env.Broadcast(p.cfg.Group.Others(env.Self()), m)`, `env.Note(Asks{m}); env.Send(m.Sender, m)`),
	},
	{
		// The NACK and the alarm must come at one instant. Random delays never coincide.
		Name: "slots-too-close", Title: "waits are 2δ apart: a NACK and the end of another wait may come at the same instant",
		Breaks: "only one NACK", Show: variant.BeyondInTime(multicast.Sized(3, 1, 2), model.Faults{Loss: 2}), Edit: page.Edit(`model.Uniform(0, p.cfg.Spread)`, `model.Exactly(model.Ticks(env.Self()+1) * 2 * p.cfg.Delay)`),
	},
	{
		Name: "drops-early", Title: "a message that arrives early is not kept",
		Breaks: "agreement", Show: model.Check{Config: multicast.Sized(2, 1, 2)},
		Edit: page.Edit(`p.miss(env, from, m.Number)`, `p.miss(env, from, m.Number); delete(p.HoldBack, from)`),
	},
	{
		Name: "delivers-early", Title: "a message is delivered though those before it are missing",
		Breaks: "FIFO order", Show: model.Check{Config: multicast.Sized(2, 1, 2)},
		Edit: page.Edit(`p.hold(env, from, m); p.miss(env, from, m.Number)`,
			`env.Deliver(multicast.Message{Sender: from, Number: m.Number}); p.L[from] = m.Number`),
	},
	{
		Name: "again-if-equal", Title: "the last number is not treated as a message that was delivered",
		Breaks: "integrity", Show: model.Check{Config: multicast.Sized(3, 1, 2)},
		Edit: page.Edit(`p.found(env, NACK{from, m.Number})`, `if m.Number == p.L[from] { p.L[from]-- }; p.found(env, NACK{from, m.Number})`),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: multicast.Sized(2, 1, 1)},
		Edit: page.Edit(`env.Return(nil)`, ``),
	},
}

// suppressAll cancels all its NACKs of messages of that sender.
func (p *Process) suppressAll(env model.Env, heard NACK) {
	last := 0
	for m := range p.Missing {
		last = max(last, m.Number)
	}
	for number := range last {
		p.suppress(env, NACK{heard.Sender, number + 1})
	}
}

// forget is the alarm that deletes a message.
type forget struct{ Number int }
