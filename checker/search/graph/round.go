package graph

import (
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/runs"
	"contend/checker/search/step"
)

// Around returns a run to a fair round: a shortest way to the round's entry, and once around. The round begins
// after loop steps.
func (g *Graph) Around(taker *runs.Taker, round liveness.Round) (r runs.Route, loop int) {
	r = taker.Way(g.Keys[round.Entry])
	loop = len(r.Steps)
	for _, ordinal := range round.Edges {
		r, _ = taker.Further(r, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return w.Emitted == ordinal })
	}
	return r, loop
}

// Stay returns a run of an end component: a shortest way into the component and a round through it. The round
// begins after loop moves; loop is -1 if the round takes no step. Chance may choose another round, but the
// adversary stays in the component.
//
// The round begins after its first step. A pending coin's alarm may be older at the entry than in the round;
// then the run goes around once more before the round begins.
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
