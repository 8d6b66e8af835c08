package adversary

import "contend/model"

// many is more than alphabets have messages: a place is taken modulo their number.
const many = 1 << 12

// prompt tells everybody the same, at once. What is the same differs from receiver to receiver, as their
// ranks do: it is the same place in the alphabet.
type prompt struct{ place int }

func drawPrompt(c Choices, _ *Adversary, _ model.NodeID) behaviour { return prompt{c.Choose(many)} }

func (prompt) name() string { return "prompt" }

func (prompt) pace() Pace { return Pace{Earliest: 8} }

func (p prompt) narrow(_ *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(_ model.NodeID, those []Offer) []Offer { return at(those, p.place) })
}

// at keeps the offer at a place, modulo their number.
func at(offers []Offer, place int) []Offer {
	i := place % len(offers)
	return offers[i : i+1]
}
