package backoff

import (
	"contend/model"
	"contend/model/costs"
)

// costed are numbers of a contend that the paper does not give. Each try asks all servers: where
// clients keep to the time that they are to sleep, it takes two messages one after the other.
var costed = []*model.Cost{messages(), latency()}

// messages are the tries of a client and the answers to it, from its contend to the return.
func messages() *model.Cost {
	c := costs.PerOperation(func(o model.Observation) (model.NodeID, bool) {
		if _, asks := o.Value.(Try); asks {
			return o.Node, true
		}
		return o.To, true
	})
	c.Name = "messages per contend"
	c.Meaning = "Tries of a client and answers to it, from its contend to the return."
	c.Check = model.Check{Config: model.Config{N: 3}, Reading: model.Grid}
	return c
}

// latency is how many messages a contend waits for one after another.
func latency() *model.Cost {
	c := costs.Latency()
	c.Name = "latency of a contend"
	c.Check = model.Check{Config: model.Config{N: 3}, Reading: model.Grid}
	return c
}
