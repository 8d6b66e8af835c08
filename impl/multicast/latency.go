package multicast

import (
	"contend/model"
	"contend/model/costs"
)

// DeliveryLatency returns the cost of a delivery in sequential messages since the last multicast of any
// process. It is the length of the longest chain that ends at the delivery. Each message of a chain was sent
// after this multicast, and after the previous message of the chain had arrived at its sender. Read it in a
// configuration with one multicast, so that a delivery waits for nothing else.
func DeliveryLatency() *model.Cost {
	return &model.Cost{
		Name: "delivery latency", Unit: costs.Latency().Unit,
		Meaning: "Messages in the longest chain that is sent after a multicast and arrives before a delivery, in runs with one multicast.",
		Chains:  true,
		Since:   func(o model.Observation) bool { return o.Kind == model.Invoked },
		Meter:   func(*model.System) model.Monitor { return &deliveryLatency{} },
		Check:   model.Check{Config: model.Config{N: 3}.With(Messages.Is(1), Senders.Is(1))},
	}
}

type deliveryLatency struct{}

func (*deliveryLatency) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Delivered {
		w.Measure(o.Chain)
	}
}
