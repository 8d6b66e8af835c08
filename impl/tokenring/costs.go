package tokenring

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the lecture's metrics. No run ends by itself, so nothing is read at the end of one: the
// messages of a passage are those from one entry to the next.
var costed = limited(costs.BetweenEntries(), costs.ClientDelay(), costs.SynchronizationDelay())

// limited has little counted: where nobody asks the token goes round without bound.
func limited(all ...*model.Cost) []*model.Cost {
	for _, c := range all {
		c.Most = 64
	}
	return all
}

// Behalf says for whose entry a message is sent: that of the process that gets the token. Of a
// token that passes by who does not want it, and so of most messages where few want to enter, this
// says little; the lecture counts all messages between two entries.
func Behalf(o model.Observation) (model.NodeID, bool) {
	if _, word := o.Value.(Word); word {
		return 0, false
	}
	return o.To, true
}
