package adversary

import (
	"slices"

	"contend/model"
)

// replay says what was said before: by an honest node, to whomever, or by a Byzantine one. Where
// nothing of that is in the alphabet, it says anything.
type replay struct{}

func drawReplay(Choices, *Adversary, model.NodeID) behaviour { return replay{} }

func (replay) name() string { return "replay" }

func (replay) narrow(t *turn, offers []Offer) []Offer {
	said := func(o Offer) bool { return t.traffic.honest[o.Key()] || t.traffic.lies[o.Key()] }
	if !slices.ContainsFunc(offers, said) {
		return offers
	}
	return slices.DeleteFunc(offers, func(o Offer) bool { return !said(o) })
}
