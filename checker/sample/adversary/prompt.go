package adversary

import "contend/model"

// manyMessages exceeds the size of alphabets. Indices are taken modulo the number of messages.
const manyMessages = 1 << 12

// prompt is the behaviour that sends the same to every receiver, at once. The messages have the same index in
// each receiver's alphabet; their ranks may differ.
type prompt struct{ place int }

func drawPrompt(c Choices, _ *Adversary, _ model.NodeID) behaviour {
	return prompt{c.Choose(manyMessages)}
}

func (prompt) name() string { return "prompt" }

func (prompt) pace() Pace { return Pace{Earliest: 8} }

func (p prompt) narrow(_ *turn, offers []Offer) []Offer {
	return byReceiver(offers, func(_ model.NodeID, candidates []Offer) []Offer { return pick(candidates, p.place) })
}

// pick returns the offer at an index, modulo the number of offers.
func pick(offers []Offer, place int) []Offer {
	i := place % len(offers)
	return offers[i : i+1]
}
