package component

import (
	"fmt"

	"contend/model"
)

// Coins says how a search reads what is drawn at random. For an AlmostSurely claim
// coins are tossed: states become positions of a game between an adversary and
// chance, in which each draw is a position of its own. Every other claim takes coins
// for choices like any other.
//
// The law of a coin is uniform over the whole steps of the grid within its window.
// Whether a goal is reached with probability one depends only on which outcomes are
// possible.
type Coins struct {
	Tossed  bool            // says that draws are chance's, and not choices
	Against model.Adversary // what the adversary knows of them
}

// Adversary names the adversary for people.
func (c Coins) Adversary() string {
	if c.Against == model.Adaptive {
		return "an adaptive"
	}
	return fmt.Sprintf("a %v", c.Against)
}

// tossed returns the part of an event whose instant is a coin. Its bounds are read
// exactly even where the grid closes those of others: chance gains nothing from an
// outcome that it does not have.
func (st *Store) tossed(b uint32, w model.Window) uint32 {
	exact := Refinement{Exact: true, Parts: st.Refine.Parts}
	p := Part{Base: b, Lo: exact.ticks(w.Lo, 1), Hi: exact.ticks(w.Hi, -1), Coin: true}
	if w.Hi.At == model.Forever || p.Hi < p.Lo {
		model.Refuse("an instant is drawn from %v, which has no end or no whole tick", w)
	}
	return st.Part(p)
}
