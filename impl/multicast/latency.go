package multicast

import (
	"contend/model"
	"contend/model/costs"
)

// DeliveryLatency is how many messages a delivery waits for one after another, from the last
// multicast of anybody on: those of the longest chain that ends at the delivery, in which each
// was sent after that multicast and after the one before had arrived at its sender. It is read
// where one message is multicast in all, so that nothing else is waited for.
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
