package view

import (
	"contend/impl/multicast"
	"contend/model"
)

// costed are the costs that the text does not state. A multicast costs a message to each other member. A view
// change costs a message to each member, a flush from each member to each other, and the unstable messages.
var costed = []*model.Cost{perMulticast(), perChange(), multicast.DeliveryLatency()}

// behalf returns the process whose multicast a message serves: the sender of data or acknowledged data.
func behalf(o model.Observation) (model.NodeID, bool) {
	switch m := o.Value.(type) {
	case Data:
		return m.Message.Sender, true
	case Ack:
		return m.Data.Message.Sender, true
	}
	return 0, false
}

func perMulticast() *model.Cost {
	c := multicast.PerMulticast(behalf)
	c.Check = check(multicast.Sized(3, 1, 1))
	return c
}

// perChange returns the cost of messages for views, except requests.
func perChange() *model.Cost {
	c := &model.Cost{
		Name: "messages per view change", Unit: "messages", Source: source,
		Meaning: "View messages, flushes and forwarded copies of messages, in a run with one view change.",
		Sends:   true, AtEnd: true, Check: check(multicast.Sized(3, 1, 1).With(Leavers.Is(1))),
	}
	c.Meter = func(*model.System) model.Monitor { return &perViewChange{cost: c} }
	return c
}

type perViewChange struct {
	cost *model.Cost
	Sent int
}

func (p *perViewChange) Observe(_ model.Watch, o model.Observation) {
	if o.Kind != model.Sent {
		return
	}
	switch m := o.Value.(type) {
	case Data:
		if o.Node == m.Message.Sender {
			return
		}
	case View, Flush:
	default:
		return
	}
	p.Sent = p.cost.Counted(p.Sent)
}

// Total returns how many there were.
func (p *perViewChange) Total() int { return p.Sent }
