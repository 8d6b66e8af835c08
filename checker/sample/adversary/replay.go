package adversary

import (
	"slices"

	"contend/model"
)

// replay is the behaviour that repeats earlier messages, of honest or Byzantine nodes, to any receiver. If
// the alphabet has none of them, it allows all.
type replay struct{}

func drawReplay(Choices, *Adversary, model.NodeID) behaviour { return replay{} }

func (replay) name() string { return "replay" }

func (replay) narrow(t *turn, offers []Offer) []Offer {
	known := func(o Offer) bool { return t.traffic.honest[o.Key()] || t.traffic.lies[o.Key()] }
	if !slices.ContainsFunc(offers, known) {
		return offers
	}
	return slices.DeleteFunc(offers, func(o Offer) bool { return !known(o) })
}
