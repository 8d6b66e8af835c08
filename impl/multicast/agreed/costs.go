package agreed

import (
	"contend/impl/multicast"
	"contend/model"
)

var costed = []*model.Cost{perMulticast(), multicast.DeliveryLatency()}

// behalf returns the process whose multicast a message serves: the sender of the application's message in it.
func behalf(o model.Observation) (model.NodeID, bool) {
	switch m := o.Value.(type) {
	case Data:
		return m.Message.Sender, true
	case Proposal:
		return m.Message.Sender, true
	case Agreed:
		return m.Message.Sender, true
	}
	return 0, false
}

// perMulticast returns the cost of a multicast. Each process multicasts once, so each message of the protocol serves
// its sender's only multicast.
func perMulticast() *model.Cost {
	c := multicast.PerMulticast(behalf)
	c.Source, c.Check.Config = way, sized(3, 1).With(multicast.Senders.Is(2))
	return c
}
