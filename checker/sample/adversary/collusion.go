package adversary

import (
	"slices"

	"contend/model"
)

// collusion lets the Byzantine nodes that have it act as one: they part the receivers in two, and tell
// each part a story of its own. What one of them said to a receiver, the others say, too.
type collusion struct {
	part   int
	places [2]int
}

// drawCollusion gives all nodes of a schedule the same plan.
func drawCollusion(c Choices, a *Adversary, _ model.NodeID) behaviour {
	if plan := a.plan(); plan != nil {
		return *plan
	}
	return collusion{drawSet(c), [2]int{c.Choose(many), c.Choose(many)}}
}

// plan is what Byzantine nodes that were drawn before have agreed on, or nil.
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

func (collusion) name() string { return together }

func (s collusion) narrow(t *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(to model.NodeID, those []Offer) []Offer {
		agreed := func(o Offer) bool {
			by, said := t.traffic.told[told{to, o.Key()}]
			return said && by != o.From
		}
		if i := slices.IndexFunc(those, agreed); i >= 0 {
			return those[i : i+1]
		}
		if in(s.part, to) {
			return at(those, s.places[1])
		}
		return at(those, s.places[0])
	})
}
