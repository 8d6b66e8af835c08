package backoff

import (
	"slices"

	"contend/model"
	"contend/model/costs"
)

// costed are numbers of a contend that the paper does not give. Each try asks all servers. If clients sleep as long as
// they must, a try takes two messages in sequence. Delays of locks need visible exits: the option leaving.
var costed = slices.Concat([]*model.Cost{messages(), latency()}, lockCosts())

// behalf returns the client whose contend a message serves. A try serves its sender, and an answer its receiver.
func behalf(o model.Observation) (model.NodeID, bool) {
	if _, asks := o.Value.(Try); asks {
		return o.Node, true
	}
	return o.To, true
}

// lockCosts returns the common costs of locks, for small systems. Each failed try adds two messages to a chain, and two
// for each server.
func lockCosts() []*model.Cost {
	all := costs.OfLock(behalf)
	for _, c := range all {
		c.Most = 40
		c.Check = model.Check{Variant: leaving.Name, Config: model.Config{N: 2}, Reading: model.Dense}
	}
	return all
}

// messages returns the cost of a contend: the client's tries and the answers to them, until the return.
func messages() *model.Cost {
	c := costs.PerOperation(behalf)
	c.Name = "messages per contend"
	c.Meaning = "Tries that a client sends and answers that it gets, from its contend to the return."
	c.Check = model.Check{Config: model.Config{N: 3}, Reading: model.Grid}
	return c
}

// latency returns the number of messages in sequence for which a contend waits.
func latency() *model.Cost {
	c := costs.Latency()
	c.Name = "latency of a contend"
	c.Check = model.Check{Config: model.Config{N: 3}, Reading: model.Grid}
	return c
}
