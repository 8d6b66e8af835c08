package adversary

import (
	"slices"

	"contend/model"
)

// silence is the behaviour that never sends to its victims.
type silence struct {
	all     bool
	victims int // set of receivers, as bits
}

func drawSilence(c Choices, a *Adversary, _ model.NodeID) behaviour {
	if c.Choose(2) == 0 {
		return silence{all: true}
	}
	return silence{victims: drawSet(c)}
}

// receivers is the number of bits of a set. Nodes whose numbers are congruent share a bit.
const receivers = 12

// drawSet draws a set of receivers.
func drawSet(c Choices) int { return c.Choose(1 << receivers) }

// contains reports whether a set contains a node.
func contains(set int, id model.NodeID) bool { return set>>(int(id)%receivers)&1 == 1 }

func (silence) name() string { return "silence" }

func (s silence) narrow(_ *turn, offers []Offer) []Offer {
	return slices.DeleteFunc(offers, func(o Offer) bool { return s.all || contains(s.victims, o.To) })
}

// mute reports whether a behaviour never sends.
func mute(b behaviour) bool {
	s, ok := b.(silence)
	return ok && s.all
}
