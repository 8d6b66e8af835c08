package sigma

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers of §4.2: the common costs of locks, the messages of an entry, and the response time.
var costed = append(compared(), messages(), latency())

// behalf returns the client whose entry a message serves: its sender or receiver.
func behalf(o model.Observation) (model.NodeID, bool) {
	if m, ok := o.Value.(Message); ok && m.Tag != CHECK {
		return o.Node, true
	}
	return o.To, true
}

// compared returns the common costs of locks, with the places in §4.2: "low load", or "one client leaving the critical
// section to the next one entering".
func compared() []*model.Cost {
	all := costs.OfLock(behalf)
	for i, clients := range []int{1, 1, 2} {
		all[i].Source = paper + ", §4.2"
		all[i].Check.Config = model.Config{N: 3 - i/2}.With(model.Clients.Is(clients))
	}
	all[0].Most, all[1].Most, all[2].Most = 20, 6, 6 // they have no bound: a client that waits asks again and again
	return all
}

// messages returns the cost of an entry. It has no bound while another client is in the critical section.
func messages() *model.Cost {
	c := costs.PerOperation(behalf)
	c.Name, c.Source = "messages per entry", paper+", §4.2"
	c.Meaning = "Messages that a client sends and responses that it gets, from its request to its entry."
	c.Most = 40
	c.Check.Config = model.Config{N: 1}
	return c
}

// latency returns "the response time for a single request", 2T, without other clients.
func latency() *model.Cost {
	c := costs.Latency()
	c.Name, c.Source = "latency of an entry", paper+", §4.2"
	c.Check.Config = model.Config{N: 3}.With(model.Clients.Is(1))
	return c
}
