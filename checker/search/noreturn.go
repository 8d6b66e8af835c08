package search

import (
	"cmp"

	"contend/checker/search/decide"
	"contend/checker/search/liveness"
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

// noReturn looks along a run for its point of no return. What can be reached from where follows
// from the graph of all states, which is searched backward from the goal once for a claim; each
// state of the run has its number there. From the end of the run it goes back as long as states
// are doomed: so every state from the point on is, also where the environment helped before.
//
// Where a bound was closed the graph has more steps than there are, so that what is doomed there
// is doomed; an exact grid has fewer, and there what can be reached can be reached.
func (x *explorer) noReturn(claim int, r route) *NoReturn {
	if x.graph == nil || claim >= len(x.claims) || !ahead(x.claims[claim].Kind) {
		return nil
	}
	all := x.reachAlong(claim, r)
	end := len(all) - 1
	switch last := all[end]; {
	case last == liveness.Reaches:
		return &NoReturn{After: -1}
	case last == liveness.BehindCut:
		return &NoReturn{Unknown: cmp.Or(x.res.Limit, decide.Cut)}
	case last == liveness.ReachesClosed, x.Refine.Exact && x.Strict.Any():
		return &NoReturn{Unknown: decide.StrictBound}
	}
	for end > 0 && all[end-1] == liveness.Never {
		end--
	}
	return &NoReturn{After: end, AtLatest: end > 0 && all[end-1] != liveness.Reaches}
}

// ahead reports whether claims of a kind are about all that can follow a state.
func ahead(k model.Kind) bool {
	return k == model.PossibleFromEverywhere || k == model.Eventually || k == model.AlmostSurely
}

// reachAlong says of the first state of a run, and of that after each of its steps, whether the
// goal can be reached; of states before the beginning of the search nothing is known.
func (x *explorer) reachAlong(claim int, r route) []liveness.Reach {
	g := x.graph
	reach := g.reach[claim]
	if reach == nil {
		for _, l := range g.all() {
			if l.claim == claim {
				reach = g.edges.Reach(l.reached)
			}
		}
		g.reach[claim] = reach
	}
	var along []liveness.Reach
	for i, key := range r.keys {
		if i > 0 && r.steps[i-1].Kind >= step.Passing {
			continue
		}
		note, met, err := x.set.NoteOf(key)
		must(err)
		if !met { // it lies before the beginning of the search
			along = append(along, liveness.BehindCut)
			continue
		}
		along = append(along, reach[note-1])
	}
	return along
}
