// Package costs has the costs by which papers compare protocols, such as messages of an operation
// and delays of a lock. Each is a constructor of a [model.Cost] with its meter. docs/claims.md
// lists them: what each counts, what it needs, and when to use it. A protocol may change the name,
// the meaning, the largest number, and the check in which a cost is read.
package costs

import "contend/model"

// Messages counts the messages sent in a run to its end, whether they arrive or not.
func Messages() *model.Cost {
	c := &model.Cost{
		Name: "messages", Unit: "messages", Meaning: "Messages that are sent in a run to its end.",
		Sends: true, AtEnd: true,
	}
	c.Meter = func(*model.System) model.Monitor { return &messages{cost: c} }
	return c
}

type messages struct {
	cost *model.Cost
	Sent int
}

func (m *messages) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Sent {
		m.Sent = m.cost.Counted(m.Sent)
	}
}

func (m *messages) Total() int { return m.Sent }

// PerOperation counts the messages sent on behalf of an operation, from its invocation to its
// return. The function behalf is given the observation of a message that is sent, [model.Sent], and
// says for which node's operation it is sent, if for any; it must be a pure function. What is sent
// for a node while no operation of it runs does not count.
func PerOperation(behalf func(o model.Observation) (model.NodeID, bool)) *model.Cost {
	c := &model.Cost{
		Name: "messages per operation", Unit: "messages",
		Meaning: "Messages that are sent on behalf of an operation, by whomever, from its invocation to its return.",
		Sends:   true,
	}
	c.Meter = func(*model.System) model.Monitor { return &perOperation{cost: c, behalf: behalf} }
	return c
}

// PerOperationThatSends is [PerOperation] of only those operations for which a message is sent.
func PerOperationThatSends(behalf func(o model.Observation) (model.NodeID, bool)) *model.Cost {
	c := PerOperation(behalf)
	c.Meter = func(*model.System) model.Monitor { return &perOperation{cost: c, behalf: behalf, least: 1} }
	return c
}

type perOperation struct {
	least  int // of messages, for an operation to be measured
	cost   *model.Cost
	behalf func(o model.Observation) (model.NodeID, bool)
	Sent   map[model.NodeID]int // by the nodes whose operations run
}

func (p *perOperation) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		p.Sent[o.Node] = 0
	case model.Sent:
		if of, ok := p.behalf(o); ok {
			if n, runs := p.Sent[of]; runs {
				p.Sent[of] = p.cost.Counted(n)
			}
		}
	case model.Returned:
		if n := p.Sent[o.Node]; n >= p.least {
			w.Measure(n)
		}
		delete(p.Sent, o.Node)
	case model.Crashed:
		delete(p.Sent, o.Node)
	}
}

// Latency is how many messages an operation waits for one after another: the length of the longest
// chain that begins at its invocation and ends at its return, in which each message was sent after
// the one before had arrived at its sender. Where a message takes at most one unit of time and
// everything else takes none, an operation takes at most as many units; it may take fewer, because
// the messages of a long chain may be fast.
func Latency() *model.Cost {
	return &model.Cost{
		Name: "latency", Unit: "messages, one after another",
		Meaning: "Messages of the longest chain from the invocation of an operation to its return, each sent after the one before arrived at its sender.",
		Chains:  true,
		Meter:   func(*model.System) model.Monitor { return &latency{} },
	}
}

type latency struct{}

func (*latency) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Returned {
		w.Measure(o.Chain)
	}
}
