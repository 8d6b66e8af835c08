package backoff

import (
	"slices"

	"contend/model"
	"contend/model/costs"
)

// costed are numbers of a contend that the paper does not give. Each try asks all servers: where
// clients keep to the time that they are to sleep, it takes two messages one after the other.
// The delays of locks need exits to be seen: the option leaving.
var costed = slices.Concat([]*model.Cost{messages(), latency()}, ofLock())

// Behalf says for whose contend a message is sent: a try for the sender's, an answer for that of
// the client it goes to.
func Behalf(o model.Observation) (model.NodeID, bool) {
	if _, asks := o.Value.(Try); asks {
		return o.Node, true
	}
	return o.To, true
}

// ofLock are the costs by which locks are compared, of small systems: with each try that fails
// there are two messages more in a chain, and two of each server.
func ofLock() []*model.Cost {
	all := costs.OfLock(Behalf)
	for _, c := range all {
		c.Most = 40
		c.Check = model.Check{Variant: leaving.Name, Config: model.Config{N: 2}, Reading: model.Dense}
	}
	return all
}

// messages are the tries of a client and the answers to it, from its contend to the return.
func messages() *model.Cost {
	c := costs.PerOperation(Behalf)
	c.Name = "messages per contend"
	c.Meaning = "Tries that a client sends and answers that it gets, from its contend to the return."
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
