package graph

import (
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/model"
)

// A NoReturn says from where on a run cannot come to the goal of its claim any more, whatever
// happens, unless the environment should help.
type NoReturn struct {
	// After is the number of steps behind which that is so; -1 where the goal can be reached from
	// the last state still.
	After int
	// AtLatest says that it may be so earlier: of the state before it is not known.
	AtLatest bool
	// Unknown is the limit that keeps it from being known; then the rest says nothing.
	Unknown string
}

// Known is what a search knows besides its graph.
type Known struct {
	// Number is that of a state, by its key; false where it was not met.
	Number func(key fingerprint.Print) (uint32, bool)
	Limit  string // what hides what lies behind a state that is not expanded, or behind a cut
	Exact  bool   // a strict bound was read exactly, on whole ticks
}

// NoReturn looks along a run for its point of no return. What can be reached from where follows
// from the graph of all states, which is searched backward from the goal once for a claim; each
// state of the run has its number there. From the end of the run it goes back as long as states
// are doomed: so every state from the point on is, also where the environment helped before.
//
// Where a bound was closed the graph has more steps than there are, so that what is doomed there
// is doomed; an exact grid has fewer, and there what can be reached can be reached.
func (g *Graph) NoReturn(claim int, r runs.Route, k Known) *NoReturn {
	all := g.reachAlong(claim, r, k)
	end := len(all) - 1
	switch last := all[end]; {
	case last == liveness.Reaches:
		return &NoReturn{After: -1}
	case last == liveness.BehindCut:
		return &NoReturn{Unknown: k.Limit}
	case last == liveness.ReachesClosed, k.Exact:
		return &NoReturn{Unknown: decide.StrictBound}
	}
	for end > 0 && all[end-1] == liveness.Never {
		end--
	}
	return &NoReturn{After: end, AtLatest: end > 0 && all[end-1] != liveness.Reaches}
}

// Ahead reports whether claims of a kind are about all that can follow a state.
func Ahead(k model.Kind) bool {
	return k == model.PossibleFromEverywhere || k == model.Eventually || k == model.AlmostSurely
}

// reachAlong says of the first state of a run, and of that after each of its steps, whether the
// goal can be reached; of states before the beginning of the search nothing is known.
func (g *Graph) reachAlong(claim int, r runs.Route, k Known) []liveness.Reach {
	reach := g.reach[claim]
	if reach == nil {
		for _, l := range g.All() {
			if l.Claim == claim {
				reach = g.Edges.Reach(l.Reached)
			}
		}
		g.reach[claim] = reach
	}
	var along []liveness.Reach
	for i, key := range r.Keys {
		if i > 0 && r.Steps[i-1].Kind >= step.Passing {
			continue
		}
		number, met := k.Number(key)
		if !met { // it lies before the beginning of the search
			along = append(along, liveness.BehindCut)
			continue
		}
		along = append(along, reach[number])
	}
	return along
}
