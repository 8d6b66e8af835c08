package unordered

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

var mutants = []model.Variant{
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: multicast.Agreement, Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "message-duplicated", Title: "a message is delivered twice",
		Breaks: multicast.Integrity, Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Duplication: 1}),
	},
	{
		Name: "crashes-half-way", Title: "a process sends to one process after another, and crashes half-way",
		Breaks: multicast.Agreement, Show: variant.Beyond(multicast.Sized(3, 1, 1), model.Faults{Crashes: 1}), Edit: oneAtATime,
	},
	{
		Name: "numbers-late", Title: "a message gets its number before it is counted",
		Breaks: multicast.Integrity, Show: model.Check{Config: multicast.Sized(2, 1, 1)},
		Edit: page.Edit(`p.Sent++`, ``, `env.Broadcast(p.cfg.Group, m)`, `env.Broadcast(p.cfg.Group, m); p.Sent++`),
	},
	{
		Name: "numbers-by-deliveries", Title: "a message gets the number after the last of its process's own that the process has delivered",
		Breaks: multicast.Integrity, Show: model.Check{Config: multicast.Sized(2, 1, 2)},
		Edit: variant.Nodes(func(p Process) model.Node { return &numbering{Process: p} }),
	},
	{
		Name: "not-to-itself", Title: "a process sends only to the others, and does not deliver its own message",
		Breaks: multicast.Validity, Show: model.Check{Config: multicast.Sized(2, 1, 1)},
		Edit: page.Edit(`env.Broadcast(p.cfg.Group, m)`, `env.Broadcast(p.cfg.Group.Others(env.Self()), m)`),
	},
	{
		Name: "leaves-out-last", Title: "a process does not send to the last of the group",
		Breaks: multicast.Agreement, Show: model.Check{Config: multicast.Sized(2, 1, 1)},
		Edit: variant.Setup(func(c *Config) { c.Group = c.Group[:len(c.Group)-1] }),
	},
	{
		Name: "discards-overtaken", Title: "a process discards a message if it has delivered a later one of the same sender",
		Breaks: multicast.Agreement, Show: model.Check{Config: multicast.Sized(2, 1, 2)},
		Edit: variant.Nodes(func(p Process) model.Node { return &impatient{Process: p, overtakings: 1} }),
	},
	{
		// Four messages have to arrive at one process in the opposite of the order in which they were
		// sent: of 24 orders one, and of each process by itself, so that random schedules seldom have it.
		Name: "discards-after-three", Title: "a process discards a message that comes after three others, each overtaken by the previous one",
		Breaks: multicast.Agreement, Show: model.Check{Config: multicast.Sized(2, 1, 4)},
		Edit: variant.Nodes(func(p Process) model.Node { return &impatient{Process: p, overtakings: 3} }),
	},
	{
		Name: "returns-nothing", Title: "a process multicasts, but does not return to its application",
		Breaks: "sending returns", Show: model.Check{Config: multicast.Sized(2, 1, 1)},
		Edit: page.Edit(`env.Return(nil)`, ``),
	},
}

type numbering struct {
	Process
	Last int
}

// Invoke numbers a message by the deliveries.
func (n *numbering) Invoke(env model.Env, op any) {
	n.Sent = n.Last
	n.Process.Invoke(env, op)
}

// Receive stores the largest number of the process's own messages.
func (n *numbering) Receive(env model.Env, from model.NodeID, m any) {
	if from == env.Self() {
		n.Last = max(n.Last, m.(multicast.Message).Number)
	}
	n.Process.Receive(env, from, m)
}

type impatient struct {
	Process
	overtakings int // that it bears
	Last, Since map[model.NodeID]int
}

// Receive counts the messages of a sender in a row that came after a later one.
func (i *impatient) Receive(env model.Env, from model.NodeID, m any) {
	number := m.(multicast.Message).Number
	if number < i.Last[from] {
		i.Since[from]++
	} else {
		i.Since[from] = 0
	}
	i.Last[from] = number
	if i.Since[from] < i.overtakings {
		i.Process.Receive(env, from, m)
	}
}
