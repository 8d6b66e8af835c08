package maekawa

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the numbers of the lecture's table.
var costed = append([]*model.Cost{messages()}, ofLock()...)

// Behalf says for whose entry a message is sent: a voter's message is for its receiver, the
// rest for its sender. It is a pure function of the sending of a message.
func Behalf(o model.Observation) (model.NodeID, bool) {
	switch o.Value.(type) {
	case OK, Failed, Inquire:
		return o.To, true
	}
	return o.Node, true
}

// messages are those of an entry: "K request + K OK".
func messages() *model.Cost {
	c := costs.PerOperation(Behalf)
	c.Name, c.Source = "messages per entry", lecture
	c.Meaning = "Requests of a process and votes for it, including those to itself, from its request to its entry."
	return c
}

// ofLock are the lecture's, "3K", "round-trip" and "round-trip", where two processes of the plane ask.
func ofLock() []*model.Cost {
	all := append(costs.OfLock(Behalf), costs.DelaysInTime()...)
	for _, c := range all {
		c.Source, c.Check.Config = lecture, of(7, 2, 1)
	}
	return all
}
