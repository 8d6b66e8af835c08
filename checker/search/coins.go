package search

import (
	"fmt"

	"contend/model"
)

// coins says how a search reads what is drawn at random. For an AlmostSurely claim
// coins are tossed: states become positions of a game between an adversary and
// chance, in which each draw is a position of its own. Every other claim takes coins
// for choices like any other.
//
// The law of a coin is uniform over the whole steps of the grid within its window.
// Whether a goal is reached with probability one depends only on which outcomes are
// possible.
type coins struct {
	tossed  bool
	against model.Adversary
}

// adversary names the adversary for people.
func (c coins) adversary() string {
	if c.against == model.Adaptive {
		return "an adaptive"
	}
	return fmt.Sprintf("a %v", c.against)
}

// tossed returns the part of an event whose instant is a coin. Its bounds are read
// exactly even where the grid closes those of others: chance gains nothing from an
// outcome that it does not have.
func (st *store) tossed(b uint32, w model.Window) uint32 {
	exact := refinement{exact: true, parts: st.refine.parts}
	p := part{base: b, lo: exact.ticks(w.Lo, 1), hi: exact.ticks(w.Hi, -1), coin: true}
	if w.Hi.At == model.Forever || p.hi < p.lo {
		model.Misused("an instant is drawn from %v, which has no end or no whole tick", w)
	}
	return st.part(p)
}
