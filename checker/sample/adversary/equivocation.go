package adversary

import "contend/model"

// equivocation tells each receiver something else, and keeps to it: the place in the alphabet stays
// the same.
type equivocation struct{ places map[model.NodeID]int }

func drawEquivocation(Choices, *Adversary, model.NodeID) behaviour {
	return equivocation{map[model.NodeID]int{}}
}

func (equivocation) name() string { return "equivocation" }

func (e equivocation) narrow(t *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(to model.NodeID, those []Offer) []Offer {
		place, said := e.places[to]
		if !said {
			place = t.Choose(many)
			e.places[to] = place
		}
		return at(those, place)
	})
}
