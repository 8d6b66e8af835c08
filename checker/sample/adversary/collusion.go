package adversary

import (
	"slices"

	"contend/model"
)

// collusion is the behaviour of Byzantine nodes that act as one. They divide the receivers into two sets, and
// send each set other messages. A message that one of them sent, the others repeat to the same receiver.
type collusion struct {
	part   int
	places [2]int
}

// drawCollusion returns the plan of the schedule, and draws it for the first node.
func drawCollusion(c Choices, a *Adversary, _ model.NodeID) behaviour {
	if plan := a.plan(); plan != nil {
		return *plan
	}
	return collusion{drawSet(c), [2]int{c.Choose(manyMessages), c.Choose(manyMessages)}}
}

// plan returns the collusion that another node has drawn, or nil.
func (a *Adversary) plan() *collusion {
	for _, l := range a.liars {
		for _, b := range l.behaviours {
			if shared, ok := b.(collusion); ok {
				return &shared
			}
		}
	}
	return nil
}

func (collusion) name() string { return collude }

func (s collusion) narrow(t *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(to model.NodeID, candidates []Offer) []Offer {
		agreed := func(o Offer) bool {
			by, known := t.traffic.forgers[delivery{to, o.Key()}]
			return known && by != o.From
		}
		if i := slices.IndexFunc(candidates, agreed); i >= 0 {
			return candidates[i : i+1]
		}
		if contains(s.part, to) {
			return pick(candidates, s.places[1])
		}
		return pick(candidates, s.places[0])
	})
}
