package search

import (
	"fmt"
	"slices"

	"contend/checker/search/decide"
)

// judgeLiveness judges the liveness claims once the state space is there, and makes
// candidates of what refutes them.
func (x *explorer) judgeLiveness() {
	g := x.graph
	for _, l := range g.all() {
		if !x.res.Complete {
			x.res.Undecided[l.claim] = x.res.Limit
			continue
		}
		x.res.Witnessed[l.claim] = x.res.Witnessed[l.claim] || slices.Contains(l.reached, false)
	}
	if !x.res.Complete {
		return
	}
	for _, l := range g.possible {
		x.judgePossible(l)
	}
	for _, l := range g.fairly {
		x.judgeEventually(l)
	}
	if g.process != nil {
		x.judgeSurely()
	}
}

// judgePossible looks for a doomed state. On the closing grid one counts if the way to it
// is real at the very times of the grid: closing has only added to what can follow. That
// there is none shows nothing unless real steps alone lead to the goal.
func (x *explorer) judgePossible(l goals) {
	p := x.graph.edges.Possible(l.reached)
	if p.Cut {
		x.res.Undecided[l.claim] = decide.Cut
	}
	open := p.Closed || x.strict.windows && x.closing()
	if open {
		x.res.Undecided[l.claim] = decide.StrictBound
	}
	x.tryEach(l.claim, p.Doomed, "from here the goal cannot be reached any more")
	if open && x.res.Spurious[l.claim] == 0 {
		x.refineClaim(l.claim)
	}
}

// tryEach takes states that refute a claim to the interpreter, until one is confirmed or
// too many were not.
func (x *explorer) tryEach(claim int, states []uint32, text string) {
	for _, s := range states {
		x.confirm(candidate{claim: claim, text: text, key: x.graph.keys[s], pinned: x.closing() && x.strict.any()})
		if _, violated := x.res.Violated[claim]; violated {
			delete(x.res.Undecided, claim)
			return
		}
		if x.res.Spurious[claim] >= x.opt.MaxSpurious || x.res.Disputed[claim] != "" {
			return
		}
	}
}

// judgeEventually looks for a fair run that never reaches the goal: one that ends short of
// it, or one that goes round. With time only runs that end refute, since a round need not
// let time pass; other rounds leave the claim undecided. Closing only adds runs, so that
// there is none holds on the closing grid as well.
func (x *explorer) judgeEventually(l goals) {
	g := x.graph
	if g.edges.CutShort(l.reached) {
		x.res.Undecided[l.claim] = decide.Cut
	}
	x.tryEach(l.claim, g.edges.Ends(l.reached), "nothing more can happen, and the goal is not reached")
	if _, violated := x.res.Violated[l.claim]; violated {
		return
	}
	round, ok := g.edges.FairRound(l.reached)
	switch {
	case !ok:
	case x.timed:
		x.res.Undecided[l.claim] = decide.TimedRound
	default:
		delete(x.res.Undecided, l.claim)
		x.confirmRound(l.claim, round)
	}
}

// judgeSurely judges the claims of probability.
func (x *explorer) judgeSurely() {
	game := x.graph.process.Game()
	for _, l := range x.graph.surely {
		x.judgeSure(l, game)
	}
	x.res.Notes = append(x.res.Notes, fmt.Sprintf("almost surely: against %s adversary; a draw from a window is uniform over its whole ticks", x.coins.adversary()))
}
