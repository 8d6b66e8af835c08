package fifo

import (
	"contend/impl/multicast"
	"contend/model"
)

// costed are the messages of a multicast, of which the text says nothing, and how long it takes.
var costed = []*model.Cost{perMulticast(), latency()}

// Behalf says for whose multicast a message is sent: its sender's.
func Behalf(o model.Observation) (model.NodeID, bool) { return o.Node, true }

func perMulticast() *model.Cost {
	c := multicast.PerMulticast(Behalf)
	c.Source, c.Check.Config = source, multicast.Sized(3, 2, 1)
	return c
}

func latency() *model.Cost {
	c := multicast.DeliveryLatency()
	c.Source = source
	return c
}
