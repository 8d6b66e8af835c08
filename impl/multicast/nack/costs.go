package nack

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/costs"
	"contend/model/variant"
)

var costed = []*model.Cost{perMulticast(), nacks(), multicast.DeliveryLatency()}

// perMulticast is read where each process multicasts once: then nothing is missing.
func perMulticast() *model.Cost {
	c := multicast.PerMulticast(Behalf)
	c.Check = model.Check{Config: multicast.Sized(3, 0, 1)}
	return c
}

// Behalf says for whose multicast a message is sent: a NACK for the sender of the missing message,
// every other message for its own sender.
func Behalf(o model.Observation) (model.NodeID, bool) {
	if m, is := o.Value.(NACK); is {
		return m.Sender, true
	}
	return o.Node, true
}

// nacks are those that are sent to the sender of what is missing: one, as the lecture has it. They
// are read where a message is lost on its way to each of two processes.
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

// Total returns how many there were.
func (s *sent) Total() int { return s.NACKs }
