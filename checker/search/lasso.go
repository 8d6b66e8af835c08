package search

import "slices"

// confirmLasso makes a run of a fair component: the shortest way into it, and a
// round through it that takes every event that is enabled all along, or passes a
// state where it is not.
func (x *explorer) confirmLasso(claim int, g *graph, component []uint32) {
	x.try(claim, func() Candidate { return x.lasso(claim, g, component) })
}

func (x *explorer) lasso(claim int, g *graph, component []uint32) Candidate {
	start := component[0]
	r := x.way(g.keys[start])
	loop := len(r.steps)
	for _, ordinal := range g.round(component, start) {
		r, _ = x.further(r, func(w *worker, _ []uint32, _ print) bool { return w.emitted == ordinal })
	}
	return Candidate{Claim: claim, Text: "the run goes round here for ever, and the goal is not reached", Steps: r.steps,
		Nodes: x.nodeBytes(r.v), InFlight: r.flights, Loop: loop}
}

// round returns the ordinals of the edges of a fair round from start to start.
func (g *graph) round(component []uint32, start uint32) []uint32 {
	var ordinals []uint32
	at := start
	for _, label := range g.enabled(start) {
		leg, to := g.leg(component, at, func(s uint32, edge int) bool {
			_, here := slices.BinarySearch(g.enabled(s), label)
			return !here || edge >= 0 && g.labels[edge] == label
		})
		ordinals, at = append(ordinals, leg...), to
	}
	for len(ordinals) == 0 || at != start {
		leg, to := g.leg(component, at, func(s uint32, edge int) bool { return edge >= 0 && g.targets[edge] == start })
		ordinals, at = append(ordinals, leg...), to
	}
	return ordinals
}

// leg finds the shortest way inside a component from a state to one that is enough,
// or over an edge that is.
func (g *graph) leg(component []uint32, from uint32, enough func(s uint32, edge int) bool) ([]uint32, uint32) {
	type arrival struct {
		state, by uint32
		via       int
	}
	queue := []arrival{{from, 0, -1}}
	seen := map[uint32]bool{from: true}
	back := func(i int) []uint32 {
		var out []uint32
		for ; queue[i].via >= 0; i = queue[i].via {
			out = append(out, queue[i].by)
		}
		slices.Reverse(out)
		return out
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i].state
		if enough(s, -1) {
			return back(i), s
		}
		for k, t := range g.successors(s) {
			if _, in := slices.BinarySearch(component, t); !in {
				continue
			}
			if enough(s, g.begin(s)+k) {
				return append(back(i), uint32(k)), t
			}
			if !seen[t] {
				seen[t] = true
				queue = append(queue, arrival{t, uint32(k), i})
			}
		}
	}
	return nil, from
}
