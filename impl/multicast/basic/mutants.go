package basic

import (
	"contend/impl/multicast"
	"contend/model"
)

var mutants = []model.Variant{
	{
		Name: "half-way", Title: "what happens if the sender crashes half-way: it has sent to one process but not to another",
		Breaks: "agreement", Show: beyond(sized(3, 1, 1), model.Faults{Crashes: 1}), Edit: oneAtATime,
	},
	{
		Name: "crash-and-loss", Title: "a message is lost, and its sender crashes before it sends it again",
		Breaks: "agreement", Show: beyond(sized(3, 1, 1), model.Faults{Crashes: 1, Loss: 1}), Edit: resend,
	},
	{
		Name: "sender-forgets", Title: "a sender crashes and restarts without its memory: its next message has an old number",
		Breaks: "all or none", Show: beyond(sized(2, 1, 2), model.Faults{Restarts: 1}),
		Edit: strikes(0),
	},
	{
		Name: "receiver-forgets", Title: "a receiver crashes and restarts without its memory",
		Breaks: "all or none", Show: beyond(sized(2, 1, 2), model.Faults{Restarts: 1}),
		Edit: strikes(1),
	},
	{
		Name: "stable-number-only", Title: "a sender keeps S_p in stable storage, but not the history buffer",
		Breaks: "all or none", Show: timed(sized(2, 1, 1), model.Faults{Restarts: 1, Loss: 1}),
		Edit: func(s *model.System) {
			resend(s)
			replace(func(p Process) model.Node { return &numberedProcess{ResendingProcess: ResendingProcess{p}} })(s)
			strikes(0)(s)
		},
	},
	{
		Name: "no-alarm-after-crash", Title: "with stable storage, but nothing is sent again after a crash",
		Breaks: "all or none", Show: timed(sized(2, 1, 1), model.Faults{Restarts: 1, Loss: 1}),
		Edit: func(s *model.System) {
			resend(s)
			replace(func(p Process) model.Node { return &idleProcess{ResendingProcess{p}} })(s)
		},
	},
	{
		// An acknowledgement has to be lost, and nothing but the history buffer shows it.
		Name: "discards-silently", Title: "the sender sends again, but a process that has delivered the message discards it, as printed",
		Breaks: "history emptied", Show: beyond(sized(2, 1, 1), model.Faults{Loss: 1}), Edit: sendAgain,
	},
	{
		Name: "one-acknowledgement", Title: "a message is removed from the history buffer at the first acknowledgement",
		Breaks: "history kept", Show: model.Check{Config: sized(3, 1, 1)},
		Edit: tune(func(c *Config) {
			c.Done = func(waiting map[model.NodeID]bool) bool { return len(waiting) < len(c.Processes)-1 }
		}),
	},
	{
		// Two copies on their way to one process have to be lost, and the other acknowledge twice meanwhile.
		Name: "counts-acknowledgements", Title: "with a sender that sends again: acknowledgements are counted, no matter who sends them",
		Breaks: "history kept", Show: model.Check{Config: faulty(sized(3, 1, 1), model.Faults{Loss: 2}), Reading: model.Grid},
		Edit: func(s *model.System) {
			resend(s)
			replace(func(p Process) model.Node { return &countingProcess{ResendingProcess: ResendingProcess{p}} })(s)
		},
	},
	{
		// Either of the two options does no harm by itself.
		Name: "cumulative-receipt", Title: "a message in the hold-back queue is acknowledged, for all messages before it too",
		Breaks: "history kept", Show: model.Check{Config: sized(2, 1, 2)},
		Edit: func(s *model.System) { acknowledgeReceipt(s); tune(cumulate)(s) },
	},
	{
		Name: "drops-early", Title: "a message that arrives early is not kept",
		Breaks: "agreement", Show: model.Check{Config: sized(2, 1, 2)},
		Edit: replace(func(p Process) model.Node { return &droppingProcess{p} }),
	},
	{
		// It takes three messages of one sender, the first of which comes last.
		Name: "delivers-one", Title: "only the next message of the hold-back queue is delivered when a gap closes",
		Breaks: "queued messages are delivered", Show: model.Check{Config: sized(2, 1, 3)},
		Edit: replace(func(p Process) model.Node { return &slowProcess{p} }),
	},
	{
		Name: "delivers-early", Title: "a message is delivered though those before it are missing",
		Breaks: "FIFO order", Show: model.Check{Config: sized(2, 1, 2)},
		Edit: replace(func(p Process) model.Node { return &hastyProcess{p} }),
	},
	{
		// One process has to ask for a message that is only late, so that another gets it twice, and that
		// before the next.
		Name: "again-if-equal", Title: "S_p = L_Q(P) is not treated as a message that was delivered",
		Breaks: "integrity", Show: model.Check{Config: sized(3, 1, 2)},
		Edit: replace(func(p Process) model.Node { return &repeatingProcess{p} }),
	},
	{
		Name: "one-last-number", Title: "a process records the number of the last message, whoever sent it",
		Breaks: "agreement", Show: model.Check{Config: sized(2, 2, 1)},
		Edit: replace(func(p Process) model.Node { return &mixingProcess{p} }),
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

// strikes has crashes strike one process only.
func strikes(only int) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			if i != only {
				s.Nodes[i].Crash = model.NoCrashes
			}
		}
	}
}

type numberedProcess struct {
	ResendingProcess
	Last int `contend:"stable"`
}

// Start takes the number from stable storage.
func (p *numberedProcess) Start(model.Env) { p.S = p.Last }

// Invoke keeps the number in stable storage.
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

// Receive takes as many acknowledgements as there are other processes for one of each.
func (p *countingProcess) Receive(env model.Env, from model.NodeID, m any) {
	ack, is := m.(Ack)
	if !is {
		p.ResendingProcess.Receive(env, from, m)
		return
	}
	if p.Acks[ack.Number]++; p.Acks[ack.Number] < len(p.cfg.Processes)-1 {
		return
	}
	for _, id := range p.others(env) {
		p.ResendingProcess.Receive(env, id, ack)
	}
}

type droppingProcess struct{ Process }

// Receive asks for what is missing, and forgets what came.
func (p *droppingProcess) Receive(env model.Env, from model.NodeID, m any) {
	p.Process.Receive(env, from, m)
	delete(p.HoldBack, from)
}

type slowProcess struct{ Process }

// Receive delivers a message, and one of the queue at most.
func (p *slowProcess) Receive(env model.Env, from model.NodeID, m any) {
	d, is := m.(Data)
	if !is || d.Number != p.L[from]+1 {
		p.Process.Receive(env, from, m)
		return
	}
	p.deliver(env, from, d)
	p.cfg.Acknowledge(env, from, d.Number)
	if next, queued := p.HoldBack[from][p.L[from]+1]; queued {
		p.deliver(env, from, Data{d.Number + 1, next})
		delete(p.HoldBack[from], p.L[from])
		p.cfg.Acknowledge(env, from, p.L[from])
	}
}

type hastyProcess struct{ Process }

// Receive delivers whatever is newer.
func (p *hastyProcess) Receive(env model.Env, from model.NodeID, m any) {
	if d, is := m.(Data); is && d.Number > p.L[from]+1 {
		p.L[from] = d.Number - 1
	}
	p.Process.Receive(env, from, m)
}

type repeatingProcess struct{ Process }

// Receive delivers the last message again.
func (p *repeatingProcess) Receive(env model.Env, from model.NodeID, m any) {
	if d, is := m.(Data); is && d.Number == p.L[from] {
		p.L[from]--
	}
	p.Process.Receive(env, from, m)
}

type mixingProcess struct{ Process }

// Receive raises the last number of each sender alike.
func (p *mixingProcess) Receive(env model.Env, from model.NodeID, m any) {
	last := 0
	for _, id := range p.cfg.Processes {
		last = max(last, p.L[id])
	}
	if _, is := m.(Data); is {
		p.L[from] = last
	}
	p.Process.Receive(env, from, m)
}

type unreturningProcess struct{ Process }

// Invoke multicasts, and does not return.
func (p *unreturningProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(multicast.Unreturned{Env: env}, op)
}
