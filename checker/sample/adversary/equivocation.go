package adversary

import "contend/model"

// equivocation is the behaviour that sends different messages to different receivers. A receiver always gets
// the message at the same index of its alphabet.
type equivocation struct{ places map[model.NodeID]int }

func drawEquivocation(Choices, *Adversary, model.NodeID) behaviour {
	return equivocation{map[model.NodeID]int{}}
}

func (equivocation) name() string { return "equivocation" }

func (e equivocation) narrow(t *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(to model.NodeID, candidates []Offer) []Offer {
		place, known := e.places[to]
		if !known {
			place = t.Choose(manyMessages)
			e.places[to] = place
		}
		return pick(candidates, place)
	})
}
