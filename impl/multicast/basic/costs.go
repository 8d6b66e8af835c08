package basic

import (
	"contend/impl/multicast"
	"contend/model"
	"contend/model/costs"
)

var costed = []*model.Cost{
	multicast.PerMulticast(behalf),
	acknowledgements(),
	multicast.DeliveryLatency(),
}

// behalf returns the process whose multicast a message serves: the sender of a multicast message, or the
// receiver of a reply.
func behalf(o model.Observation) (model.NodeID, bool) {
	if _, out := o.Value.(Data); out {
		return o.Node, true
	}
	return o.To, true
}

// acknowledgements returns the cost of acknowledgements per multicast: "too many ACKs (feedback implosion)".
func acknowledgements() *model.Cost {
	c := costs.PerPassage(func(o model.Observation) (model.NodeID, bool) {
		_, is := o.Value.(Ack)
		return o.To, is
	})
	c.Name, c.Source = "acknowledgements per multicast", source
	c.Meaning = "Acknowledgements that are sent to the sender of a message for it, in a whole run."
	return c
}
