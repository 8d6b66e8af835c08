package graph

import (
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/model"
)

// A NoReturn is the point of a run from which the goal of its claim is unreachable, unless the environment
// helps.
type NoReturn struct {
	// After is the number of steps before this point; -1 if the goal is reachable from the last
	// state.
	After int
	// AtLatest is set if the point may be earlier: reachability from the state before is unknown.
	AtLatest bool
	// Unknown is the limit that makes the point unknown, or "". If set, ignore the other fields.
	Unknown string
}

// A Context is the knowledge of a search besides its graph.
type Context struct {
	// Number returns the number of a state by its key; false if the search has not met it.
	Number func(key fingerprint.Print) (uint32, bool)
	Limit  string // the limit that left states unexpanded, or the cut
	Exact  bool   // strict bounds were read exactly, on a grid of whole ticks
}

// NoReturn returns the point of no return of a run. A backward search of the state graph from the goal, once a
// claim, gives the states from which the goal is unreachable: the doomed states. From the end of the run
// NoReturn goes back while states are doomed. So every state after the point is doomed, even where the
// environment helped before.
//
// With closed bounds the graph has too many steps, so its doomed states are really doomed. An exact grid has
// too few steps, so there only reachability is certain.
func (g *Graph) NoReturn(claim int, r runs.Route, k Context) *NoReturn {
	all := g.routeReach(claim, r, k)
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

// Ahead reports whether claims of a kind are about all possible continuations of a state.
func Ahead(k model.Kind) bool {
	return k == model.PossibleFromEverywhere || k == model.Eventually || k == model.AlmostSurely
}

// routeReach returns the reachability of the goal from the first state of a run, and from the state after each
// step. It is BehindCut for states before the beginning of the search.
func (g *Graph) routeReach(claim int, r runs.Route, k Context) []liveness.Reach {
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
