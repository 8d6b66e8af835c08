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

// behalf says for whose multicast a message is sent: a multicast message for its sender, a reply
// for its receiver.
func behalf(o model.Observation) (model.NodeID, bool) {
	if _, out := o.Value.(Data); out {
		return o.Node, true
	}
	return o.To, true
}

// acknowledgements are those of each multicast: "too many ACKs (feedback implosion)".
func acknowledgements() *model.Cost {
	c := costs.PerPassage(func(o model.Observation) (model.NodeID, bool) {
		_, is := o.Value.(Ack)
		return o.To, is
	})
	c.Name, c.Source = "acknowledgements per multicast", source
	c.Meaning = "Acknowledgements that are sent to the sender of a message for it, in a whole run."
	return c
}
