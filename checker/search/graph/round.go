package graph

import (
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/runs"
	"contend/checker/search/step"
)

// Around is a run of a fair round: the shortest way to where it begins, and once round. Loop is the move
// behind which it begins.
func (g *Graph) Around(taker *runs.Taker, round liveness.Round) (r runs.Route, loop int) {
	r = taker.Way(g.Keys[round.Entry])
	loop = len(r.Steps)
	for _, ordinal := range round.Edges {
		r, _ = taker.Further(r, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return w.Emitted == ordinal })
	}
	return r, loop
}

// Stay is a run of an end component: the shortest way into it and a round through it. Loop is the move
// behind which the round begins; -1 where it takes no step. Chance might go another way round; the adversary
// would stay all the same.
func (g *Graph) Stay(taker *runs.Taker, game *liveness.Game, component []uint32) (r runs.Route, loop int) {
	round := game.Round(component)
	r = taker.Way(g.Keys[round.Entry])
	before, closes, young := len(r.Steps), 0, false
	take := func(ordinals []uint32, each func(taken int)) {
		for i, ordinal := range ordinals {
			r, _ = taker.Further(r, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return w.Emitted == ordinal })
			each(i + 1)
		}
	}
	// The round is closed behind a step of the run, if it can be one at which no coin is
	// pending: such an alarm may be older when the round is entered than when it is taken
	// again, and then it is taken once more before.
	take(round.Edges, func(taken int) {
		if r.Steps[len(r.Steps)-1].Kind < step.Passing && !young {
			young = !slices.ContainsFunc(r.V[taker.Head:], func(id uint32) bool { return taker.Store.Flats[id].Coin })
			if young || closes == 0 {
				closes = taken
			}
		}
	})
	if closes == 0 {
		return r, -1
	}
	if loop = before + closes; !young {
		loop += len(round.Edges)
		take(round.Edges, func(int) {})
	}
	take(round.Edges[:closes], func(int) {})
	return r, loop
}
