// Package costs has the common costs of papers that compare protocols, such as messages of an operation and
// delays of a lock. Each is a constructor of a [model.Cost] with its meter. docs/claims.md lists them with
// their meanings, requirements and uses. A protocol may change the name, the meaning, the largest number and
// the check of a cost.
package costs

import "contend/model"

// Messages counts the messages sent in a run until its end, whether they arrive or not.
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

// PerOperation counts the messages sent on behalf of an operation, from its invocation to its return. The meter
// calls behalf for each sent message, with an observation of kind [model.Sent]. It returns the node for whose
// operation the message is sent, if any, and must be a pure function. Messages for a node without a running
// operation do not count.
func PerOperation(behalf func(o model.Observation) (model.NodeID, bool)) *model.Cost {
	c := &model.Cost{
		Name: "messages per operation", Unit: "messages",
		Meaning: "Messages that are sent on behalf of an operation, by whomever, from its invocation to its return.",
		Sends:   true,
	}
	c.Meter = func(*model.System) model.Monitor { return &perOperation{cost: c, behalf: behalf} }
	return c
}

// PerOperationThatSends is [PerOperation] without the operations for which no message is sent.
func PerOperationThatSends(behalf func(o model.Observation) (model.NodeID, bool)) *model.Cost {
	c := PerOperation(behalf)
	c.Meter = func(*model.System) model.Monitor { return &perOperation{cost: c, behalf: behalf, least: 1} }
	return c
}

type perOperation struct {
	least  int // the least number of messages of an operation that is measured
	cost   *model.Cost
	behalf func(o model.Observation) (model.NodeID, bool)
	Sent   map[model.NodeID]int // by the nodes whose operations run
}

func (p *perOperation) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		p.Sent[o.Node] = 0
	case model.Sent:
		if node, ok := p.behalf(o); ok {
			if n, runs := p.Sent[node]; runs {
				p.Sent[node] = p.cost.Counted(n)
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

// Latency is the length of the longest chain of messages from the invocation of an operation to its return.
// Each message of the chain was sent after the previous message had arrived at its sender. If a message takes
// at most one unit of time, and everything else none, the operation takes at most this number of units. It
// may take fewer, since the messages of a long chain may be fast.
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
