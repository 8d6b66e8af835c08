package maekawa

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers of the lecture's table.
var costed = append([]*model.Cost{messages()}, lockCosts()...)

// behalf returns the process whose entry a message serves. A vote, and any other message of a voter, serves its
// receiver. All other messages serve their sender.
func behalf(o model.Observation) (model.NodeID, bool) {
	switch o.Value.(type) {
	case OK, Failed, Inquire:
		return o.To, true
	}
	return o.Node, true
}

// messages returns the cost of an entry: "K request + K OK".
func messages() *model.Cost {
	c := costs.PerOperation(behalf)
	c.Name, c.Source = "messages per entry", lecture
	c.Meaning = "Requests of a process and votes for it, including those to itself, from its request to its entry."
	return c
}

// lockCosts returns the lecture's costs, "3K", "round-trip" and "round-trip", where two processes of the plane ask.
func lockCosts() []*model.Cost {
	all := append(costs.OfLock(behalf), costs.DelaysInTime()...)
	for _, c := range all {
		c.Source, c.Check.Config = lecture, sized(7, 2, 1)
	}
	return all
}
