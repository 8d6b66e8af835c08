package backoff

import (
	"contend/model"
	"contend/model/costs"
)

// costed are numbers of a contend that the paper does not give: each try asks all servers, and
// returns on the answers of a quorum.
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
	c.Meaning = "Tries of a client and answers to it, from its contend to the return: up to the cut at so many tries."
	c.Check.Config = model.Config{N: 3}
	return c
}

// latency is how many messages a contend waits for one after another: two for each try.
func latency() *model.Cost {
	c := costs.Latency()
	c.Name = "latency of a contend"
	c.Check.Config = model.Config{N: 3}
	return c
}
