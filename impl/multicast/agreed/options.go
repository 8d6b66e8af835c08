package agreed

import (
	"contend/impl/clocks"
	"contend/impl/multicast"
	"contend/model"
)

var options = []model.Variant{
	{
		Name: "by-message", Title: "reading: the sender is a receiver like any other, and sends messages to itself",
		Edit: tune(func(c *Config) {
			c.Send = func(_ *Process, env model.Env, to model.NodeID, m any) { env.Send(to, m) }
		}), Show: model.Check{Config: sized(2, 1)},
	},
	{
		Name: "fifo-channels", Title: "reading: channels are FIFO",
		Edit: func(s *model.System) { s.Network.Channel = model.FIFO }, Show: again,
	},
	{
		Name: "one-at-a-time", Title: "hybrid approaches: a process multicasts its next message when the previous one has its number",
		Edit: tune(func(c *Config) { c.Taken, c.Numbered = c.Numbered, c.Taken }), Show: again,
	},
	{
		Name: "filters", Title: "a process ignores a duplicate",
		Edit: replace(func(p Process) model.Node { return &filteringProcess{Process: p} }), Show: again,
		Waives: map[string][]model.Assumption{
			multicast.Integrity: once, multicast.Validity: once, multicast.Agreement: once,
			multicast.TotalOrder: once, multicast.UniformTotalOrder: once,
			"no proposal above the agreed number": once, "one message a number": once, "delivered numbers increase": once,
		},
	},
	{
		Name: "one-number", Title: "A_j is not kept: an agreed number raises P_j",
		Edit: tune(func(c *Config) {
			c.Raise = func(p *Process, n clocks.Lamport) { p.P = p.P.Merge(n) }
		}), Show: again,
	},
	{
		Name: "raised-at-delivery", Title: "A_j is updated when the message is delivered, not when its number comes",
		Edit: tune(func(c *Config) {
			c.Raise = func(*Process, clocks.Lamport) {}
			c.Deliver = func(p *Process, env model.Env, h Held) {
				p.A = p.A.Merge(h.Number.Time)
				env.Deliver(h.Message)
			}
		}), Show: again,
	},
	{
		Name: "unagreed-first", Title: "a message without an agreed number is at the front of the hold-back queue, whatever number was proposed",
		Edit: tune(func(c *Config) {
			c.Before = func(a, b Held) bool {
				if a.Agreed != b.Agreed {
					return b.Agreed
				}
				return a.Number.Before(b.Number)
			}
		}), Show: again,
	},
	{
		Name: "skips-numbers", Title: "a process proposes a number that may be larger than necessary",
		Edit: tune(func(c *Config) {
			c.Next = func(env model.Env, a, p clocks.Lamport) clocks.Lamport {
				return a.Merge(p).Tick() + clocks.Lamport(env.Choose(2))
			}
		}), Show: model.Check{Config: sized(2, 3).With(multicast.Senders.Is(1))},
	},
	{
		Name: "ids-downwards", Title: "of two equal numbers the one with the larger ID counts as smaller, everywhere",
		Edit: tune(func(c *Config) {
			last := c.Group[len(c.Group)-1]
			c.With = func(t clocks.Lamport, j model.NodeID, _ multicast.Message) clocks.Stamp {
				return clocks.Stamp{Time: t, ID: last - j}
			}
		}), Show: again,
	},
}

var (
	// again is a check in which two processes multicast twice.
	again = model.Check{Config: sized(2, 2)}
	once  = []model.Assumption{model.AtMostOnce}
)

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

// A filteringProcess keeps what it has received. What it sends to itself comes once.
type filteringProcess struct {
	Process
	Received map[multicast.Message]bool
}

// Receive takes what is new. An agreed number that comes again finds no message to tag.
func (p *filteringProcess) Receive(env model.Env, from model.NodeID, m any) {
	switch m := m.(type) {
	case Data:
		if p.Received[m.Message] {
			return
		}
		p.Received[m.Message] = true
	case Proposal:
		if _, open := p.Proposals[m.Message.Number]; !open {
			return
		}
	}
	p.Process.Receive(env, from, m)
}
