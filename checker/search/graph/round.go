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
//
// The round begins behind its first step. If a coin is pending there, such an alarm may be older when the round is entered than when
// it is taken again, and then it is taken once more before.
func (g *Graph) Stay(taker *runs.Taker, game *liveness.Game, component []uint32) (r runs.Route, loop int) {
	round := game.Round(component)
	r = taker.Way(g.Keys[round.Entry])
	take := func(ordinals []uint32) (stepped bool) {
		for _, ordinal := range ordinals {
			r, _ = taker.Further(r, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return w.Emitted == ordinal })
		}
		return r.Steps[len(r.Steps)-1].Kind < step.Passing
	}
	for i := range round.Edges {
		if !take(round.Edges[i : i+1]) {
			continue
		}
		around := slices.Concat(round.Edges[i+1:], round.Edges[:i+1])
		if slices.ContainsFunc(r.V[taker.Head:], func(id uint32) bool { return taker.Store.Flats[id].Coin }) {
			take(around)
		}
		loop = len(r.Steps)
		take(around)
		return r, loop
	}
	return r, -1
}
