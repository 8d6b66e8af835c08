package nack

import (
	"contend/impl/multicast"
	"contend/model"
)

var mutants = []model.Variant{
	{
		Name: "half-way", Title: "the sender crashes half-way: it has sent to one process but not to another",
		Breaks: "agreement", Show: beyond(sized(3, 1, 1), model.Faults{Crashes: 1}), Edit: oneAtATime,
	},
	{
		Name: "crash-and-loss", Title: "a message is lost, and its sender crashes before the NACK arrives",
		Breaks: "agreement", Show: beyond(sized(3, 1, 1), model.Faults{Crashes: 1, Loss: 1}), Edit: tellLast,
	},
	{
		Name: "restarts", Title: "a process crashes and restarts without its memory",
		Breaks: "queued messages are delivered", Show: beyond(sized(2, 1, 2), model.Faults{Restarts: 1}),
	},
	{
		Name: "deletes", Title: "in practice, messages are deleted after some time",
		Breaks: "agreement", Show: beyond(sized(2, 1, 2), model.Faults{Loss: 1}),
		Edit: func(s *model.System) {
			s.Types = append(s.Types, forget{})
			replace(func(p Process) model.Node { return &forgettingProcess{p} })(s)
		},
	},
	{
		Name: "not-suppressed", Title: "a process sends its NACK even after it has received one",
		Breaks: "suppression", Show: model.Check{Config: sized(3, 1, 2)},
		Edit: tune(func(c *Config) {
			c.Suppress = func(p *Process, env model.Env, heard NACK) {
				if p.Missing[heard] {
					env.Note(Suppressed{heard})
				}
			}
		}),
	},
	{
		// One message has to be lost, and another to be late, on the way to different processes; and the
		// NACK of the late one has to come while the other process waits.
		Name: "any-suppresses", Title: "a NACK suppresses those of other messages of that sender too",
		Breaks: "queued messages are delivered", Show: beyond(sized(3, 1, 3), model.Faults{Loss: 1}),
		Edit: tune(func(c *Config) { c.Suppress = (*Process).suppressAll }),
	},
	{
		// The message has to be lost, and its retransmission, on the way to a process that another's NACK
		// has suppressed, for which the message was only late.
		Name: "suppressed-for-good", Title: "a process repeats its own NACK, but not one that was suppressed",
		Breaks: "queued messages are delivered", Show: beyond(sized(3, 1, 2), model.Faults{Loss: 2}),
		Edit: func(s *model.System) { repeat(s); tune(func(c *Config) { c.Suppress = (*Process).suppress })(s) },
	},
	{
		// Harmless where acknowledgements are awaited; here who was suppressed counts on it.
		Name: "retransmits-to-one", Title: "a retransmission goes only to the process that sent the NACK",
		Breaks: "queued messages are delivered", Show: beyond(sized(3, 1, 2), model.Faults{Loss: 1}),
		Edit: tune(func(c *Config) {
			c.Retransmit = func(env model.Env, _ []model.NodeID, asks model.NodeID, m Data) { env.Send(asks, m) }
		}),
	},
	{
		Name: "first-missing-only", Title: "a process sends a NACK only of the first missing message, again and again",
		Breaks: "queued messages are delivered", Show: beyond(sized(2, 1, 3), model.Faults{Loss: 2}),
		Edit: func(s *model.System) {
			repeat(s)
			tune(func(c *Config) { c.Asked = func(missing []int) []int { return missing[:min(1, len(missing))] } })(s)
		},
	},
	{
		Name: "slotted-to-sender", Title: "waits are slotted, and a NACK goes only to the sender",
		Breaks: "only one NACK", Show: timed(sized(3, 1, 2), model.Faults{Loss: 2}),
		Edit: tune(func(c *Config) {
			slot(1)(c)
			c.Ask = func(env model.Env, _ []model.NodeID, m NACK) { env.Send(m.Sender, m) }
		}),
	},
	{
		// The NACK and the alarm have to come at one instant, which delays drawn at random never do.
		Name: "slots-too-close", Title: "waits are 2δ apart: a NACK and the end of another wait may come at the same instant",
		Breaks: "only one NACK", Show: timed(sized(3, 1, 2), model.Faults{Loss: 2}), Edit: tune(slot(0)),
	},
	{
		Name: "drops-early", Title: "a message that arrives early is not kept",
		Breaks: "agreement", Show: model.Check{Config: sized(2, 1, 2)},
		Edit: replace(func(p Process) model.Node { return &droppingProcess{p} }),
	},
	{
		Name: "delivers-early", Title: "a message is delivered though those before it are missing",
		Breaks: "FIFO order", Show: model.Check{Config: sized(2, 1, 2)},
		Edit: replace(func(p Process) model.Node { return &hastyProcess{p} }),
	},
	{
		Name: "again-if-equal", Title: "the last number is not treated as a message that was delivered",
		Breaks: "integrity", Show: model.Check{Config: sized(3, 1, 2)},
		Edit: replace(func(p Process) model.Node { return &repeatedProcess{p} }),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: sized(2, 1, 1)},
		Edit: replace(func(p Process) model.Node { return &unreturningProcess{p} }),
	},
}

func beyond(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: faulty(c, f), AssumeAnyway: true}
}

func timed(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: faulty(c, f), Reading: model.Grid, AssumeAnyway: true}
}

// suppressAll takes back all its NACKs of messages of that sender.
func (p *Process) suppressAll(env model.Env, heard NACK) {
	last := 0
	for m := range p.Missing {
		last = max(last, m.Number)
	}
	for number := range last {
		p.suppress(env, NACK{heard.Sender, number + 1})
	}
}

// forget is the alarm at which a message is deleted.
type forget struct{ Number int }

type forgettingProcess struct{ Process }

// Invoke multicasts a message, which is deleted after some time.
func (p *forgettingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(env, op)
	env.After(forget{p.S}, model.Exactly(10*p.cfg.Delay))
}

// Timeout deletes a message, or sends a NACK.
func (p *forgettingProcess) Timeout(env model.Env, key any) {
	if f, is := key.(forget); is {
		delete(p.History, f.Number)
		return
	}
	p.Process.Timeout(env, key)
}

type droppingProcess struct{ Process }

// Receive asks for what is missing, and forgets what came.
func (p *droppingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	delete(p.HoldBack, from)
}

type hastyProcess struct{ Process }

// Receive delivers whatever is newer.
func (p *hastyProcess) Receive(env model.Env, from model.NodeID, m any) {
	if d, is := m.(Data); is && d.Number > p.L[from]+1 {
		env.Deliver(multicast.Message{Sender: from, Number: d.Number})
		p.L[from] = d.Number
		return
	}
	p.Process.Receive(env, from, m)
}

type repeatedProcess struct{ Process }

// Receive delivers the last message again.
func (p *repeatedProcess) Receive(env model.Env, from model.NodeID, m any) {
	if d, is := m.(Data); is && d.Number == p.L[from] {
		p.L[from]--
	}
	p.Process.Receive(env, from, m)
}

type unreturningProcess struct{ Process }

// Invoke multicasts, and does not return.
func (p *unreturningProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(multicast.Unreturned{Env: env}, op)
}
