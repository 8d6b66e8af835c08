package nack

import (
	"contend/impl/multicast"
	"contend/model"
)

var options = []model.Variant{
	{
		Name: "repeats", Title: "reading: a process repeats its NACK until the message arrives",
		Edit: repeat, Show: again, Unclaimed: repeated,
	},
	{
		Name: "session", Title: "the same, and senders announce the number of their last message from time to time",
		Edit: tellLast, Show: model.Check{Config: sized(2, 1, 2)}, Unclaimed: repeated,
	},
	{
		Name: "slotted", Title: "process i waits for i times more than 2δ before a NACK",
		Edit: tune(slot(1)), Show: model.Check{Config: faulty(sized(3, 1, 2), model.Faults{Loss: 2}), Reading: model.Grid, Claims: []string{"only one NACK", "suppression"}},
	},
	{
		Name: "heard-first", Title: "reading: a NACK also suppresses those of processes that have not yet found the message missing",
		Edit: tune(func(c *Config) { c.Suppress = (*Process).heed }), Show: again,
	},
	{
		Name: "no-wait", Title: "a NACK is sent at once",
		Edit: tune(func(c *Config) { c.Wait = func(model.NodeID) model.Window { return model.Exactly(0) } }), Show: again,
		Unclaimed: []string{"only one NACK"},
	},
	{
		Name: "one-at-a-time", Title: "reading: a process sends to one process after another, and may crash half-way",
		Edit: oneAtATime, Show: model.Check{Config: sized(2, 2, 2)},
	},
	{
		Name: "fifo", Title: "channels are FIFO",
		Edit: func(s *model.System) { s.Network.Channel = model.FIFO }, Show: again,
	},
}

// again is a check in which processes multicast more than once.
var again = model.Check{Config: sized(2, 2, 2)}

// repeated is what does not go with a NACK that is repeated.
var repeated = []string{"only one NACK", "suppression"}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

func tune(f func(*Config)) func(*model.System) { return func(s *model.System) { f(setup(s)) } }

// replace replaces the processes.
func replace(f func(Process) model.Node) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			s.Nodes[i].New = func() model.Node { return f(Process{cfg: setup(s)}) }
		}
	}
}

// slot lets each process wait for its own multiple of 2δ and a little more, so that a message that is
// only late arrives before.
func slot(more model.Ticks) func(*Config) {
	return func(c *Config) {
		c.Wait = func(self model.NodeID) model.Window {
			return model.Exactly(model.Ticks(self+1) * (2*c.Delay + more))
		}
	}
}

// heed treats a NACK of another as one's own, even if the process has not found the message missing.
func (p *Process) heed(env model.Env, heard NACK) {
	if heard.Number > p.L[heard.Sender] && !p.HoldBack[heard.Sender][heard.Number] {
		p.Missing[heard] = true
	}
	p.suppress(env, heard)
}

// oneAtATime sends each copy of a message in a separate step.
func oneAtATime(s *model.System) {
	s.Types = append(s.Types, multicast.Next{})
	replace(func(p Process) model.Node { return &steppingProcess{Process: p} })(s)
}

type steppingProcess struct {
	Process
	Outbox multicast.Outbox
}

// Invoke multicasts a message.
func (p *steppingProcess) Invoke(env model.Env, op any) {
	p.Process.Invoke(p.Outbox.Through(env), op)
}

// Receive takes a message of any kind.
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
