package agreed

import (
	"contend/impl/multicast"
	"contend/model"
)

var costed = []*model.Cost{perMulticast(), multicast.DeliveryLatency()}

// Behalf says for whose multicast a message is sent: that of the sender of the message that it
// carries or is about.
func Behalf(o model.Observation) (model.NodeID, bool) {
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

// perMulticast is read of one message of each process, so that each message of the protocol is
// one of the only multicast of its sender.
func perMulticast() *model.Cost {
	c := multicast.PerMulticast(Behalf)
	c.Source, c.Check.Config = way, sized(3, 1).With(multicast.Senders.Is(2))
	return c
}
