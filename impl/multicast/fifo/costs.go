package fifo

import (
	"contend/impl/multicast"
	"contend/model"
)

// costed are the messages of a multicast and its delay. The text does not mention them.
var costed = []*model.Cost{perMulticast(), latency()}

// behalf returns the process whose multicast a message serves: its sender.
func behalf(o model.Observation) (model.NodeID, bool) { return o.Node, true }

func perMulticast() *model.Cost {
	c := multicast.PerMulticast(behalf)
	c.Source, c.Check.Config = source, multicast.Sized(3, 2, 1)
	return c
}

func latency() *model.Cost {
	c := multicast.DeliveryLatency()
	c.Source = source
	return c
}
