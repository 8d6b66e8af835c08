package component

import (
	"fmt"

	"contend/model"
)

// A Coins configures how a search treats random draws. For an AlmostSurely claim coins are tossed: states
// become positions of a game between an adversary and chance, and each draw is a position of its own. For every
// other claim a draw is a choice.
//
// A coin's distribution is uniform over the whole grid steps within its window. Whether a goal is reached with
// probability 1 depends only on the set of possible outcomes.
type Coins struct {
	Tossed  bool            // chance makes the draws; else draws are choices
	Against model.Adversary // the adversary's knowledge of the draws
}

// Adversary returns the adversary's name with its article.
func (c Coins) Adversary() string {
	if c.Against == model.Adaptive {
		return "an adaptive"
	}
	return fmt.Sprintf("a %v", c.Against)
}

// coinPart returns the part of an event whose instant is a coin. Its bounds are exact even where the grid
// closes the bounds of other windows: chance gains nothing from an outcome that is not possible. A window
// without an end or without a whole tick is refused.
func (st *Store) coinPart(b uint32, w model.Window) uint32 {
	exact := Refinement{Exact: true, Parts: st.Refine.Parts}
	p := Part{Base: b, Lo: exact.ticks(w.Lo, 1), Hi: exact.ticks(w.Hi, -1), Coin: true}
	if w.Hi.At == model.Forever || p.Hi < p.Lo {
		model.Refuse("an instant is drawn from %v, which has no end or no whole tick", w)
	}
	return st.Part(p)
}
