package nack

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/costs"
	"contend/model/variant"
)

var costed = []*model.Cost{perMulticast(), nacks(), multicast.DeliveryLatency()}

// perMulticast returns the cost of a multicast. Each process multicasts once, so no message is found missing.
func perMulticast() *model.Cost {
	c := multicast.PerMulticast(behalf)
	c.Check = model.Check{Config: multicast.Sized(3, 0, 1)}
	return c
}

// behalf returns the process whose multicast a message serves. A NACK serves the sender of the missing message. Any
// other message serves its own sender.
func behalf(o model.Observation) (model.NodeID, bool) {
	if m, is := o.Value.(NACK); is {
		return m.Sender, true
	}
	return o.Node, true
}

// nacks returns the number of NACKs to the sender of a missing message. In the lecture it is one. In the check, one
// message to each of two processes is lost.
func nacks() *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "NACKs to the sender", source
	c.Meaning = "NACKs that are sent to the sender of the missing message, in a whole run."
	c.Check = model.Check{Config: variant.Faulty(multicast.Sized(3, 1, 2), model.Faults{Loss: 2}), Reading: model.Grid}
	c.Meter = func(*model.System) model.Monitor { return &sent{cost: c} }
	return c
}

type sent struct {
	cost  *model.Cost
	NACKs int
}

func (s *sent) Observe(_ model.Watch, o model.Observation) {
	if m, is := o.Value.(NACK); is && o.Kind == model.Sent && o.To == m.Sender {
		s.NACKs = s.cost.Counted(s.NACKs)
	}
}

// Total returns the number of NACKs.
func (s *sent) Total() int { return s.NACKs }
