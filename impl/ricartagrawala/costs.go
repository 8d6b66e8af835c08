package ricartagrawala

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers of the paper and of the lecture.
var costed = slices.Concat([]*model.Cost{messages(), latency()}, costs.OfLock(behalf), costs.DelaysInTime(), []*model.Cost{settledHandover()})

// behalf returns the process whose entry a message serves. A request serves its sender, and a reply its receiver.
func behalf(o model.Observation) (model.NodeID, bool) {
	if _, asks := o.Value.(Request); asks {
		return o.Node, true
	}
	return o.To, true
}

// messages returns the cost of an entry: "2(N − 1) messages per critical section entry".
func messages() *model.Cost {
	c := costs.PerOperation(behalf)
	c.Name, c.Source = "messages per entry", "Ricart–Agrawala 1981, §3"
	c.Meaning = "Requests of a process and replies to it, from its request to its entry."
	return c
}

// settledHandover returns the synchronization delay in time of a request that has arrived.
func settledHandover() *model.Cost {
	c := costs.SettledHandover()
	c.Check.Config = mutex.Of(3, 1)
	return c
}

// latency returns the number of messages in sequence for which an entry waits. It is two if no other process wants the
// section.
func latency() *model.Cost {
	c := costs.Latency()
	c.Name, c.Source = "latency of an entry", "Ricart–Agrawala 1981, §3"
	c.Check.Config = mutex.Of(3, 1)
	return c
}
