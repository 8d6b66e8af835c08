package basic

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
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
		Edit: replace(func(p Process) model.Node { return &selfSendingProcess{p} }), Show: model.Check{Config: sized(2, 1, 3)},
	},
	{
		Name: "one-at-a-time", Title: "reading: a process sends to one process after another, and may crash half-way",
		Edit: oneAtATime, Show: model.Check{Config: sized(3, 2, 1)},
	},
	{
		Name: "acknowledges-receipt", Title: "reading: a process acknowledges a message when it keeps it in the hold-back queue",
		Edit: acknowledgeReceipt, Show: again,
	},
	{
		Name: "cumulative", Title: "an acknowledgement counts for all messages before it",
		Edit: tune(cumulate), Show: again,
	},
	{
		Name: "retransmits-to-one", Title: "a retransmission goes only to the process that asks for it",
		Edit: tune(func(c *Config) {
			c.Retransmit = func(env model.Env, _ []model.NodeID, asks model.NodeID, m Data) { env.Send(asks, m) }
		}), Show: again,
	},
	{
		Name: "fifo", Title: "channels are FIFO",
		Edit: func(s *model.System) { s.Network.Channel = model.FIFO }, Show: again,
	},
}

// again is a check in which processes multicast more than once.
var again = model.Check{Config: sized(2, 2, 2)}

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

// withStableStorage are the claims that memory loss does not break then. Those of agreement exempt
// processes that crash, and so demand nothing of a sender that does not restart.
func withStableStorage() map[string][]model.Assumption {
	waived := map[string][]model.Assumption{}
	for _, c := range claimed {
		if c.Name != multicast.Agreement {
			waived[c.Name] = []model.Assumption{model.NoMemoryLoss}
		}
	}
	return waived
}

type selfSendingProcess struct{ Process }

// Invoke multicasts a message to itself as well.
func (p *selfSendingProcess) Invoke(env model.Env, op any) {
	p.outgoing(env, op.(Multicast), p.cfg.Processes)
	env.Return(nil)
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

// Timeout sends the next copy.
func (p *steppingProcess) Timeout(env model.Env, _ any) { p.Outbox.Step(env) }

// acknowledgeReceipt is "when everyone has acknowledged receipt", against "delivered (and
// acknowledged)".
func acknowledgeReceipt(s *model.System) {
	replace(func(p Process) model.Node { return &promptProcess{p} })(s)
}

type promptProcess struct{ Process }

// Receive acknowledges what is kept; what is delivered from the queue is acknowledged once more.
func (p *promptProcess) Receive(env model.Env, from model.NodeID, m any) {
	if d, is := m.(Data); is && d.Number > p.L[from]+1 {
		p.cfg.Acknowledge(env, from, d.Number)
	}
	p.Process.Receive(env, from, m)
}

// cumulate makes an acknowledgement count for all messages before it: messages are delivered in the
// order of their numbers.
func cumulate(c *Config) {
	c.Acknowledged = func(history map[int]Copy, number int) []int {
		var numbers []int
		for n := range history {
			if n <= number {
				numbers = append(numbers, n)
			}
		}
		slices.Sort(numbers)
		return numbers
	}
}
