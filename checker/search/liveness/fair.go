package liveness

import "slices"

// Ends returns the states outside a set in which a fair run may end: no enabled event must happen, and no cut
// withholds such an event. Moves of the environment do not matter, since they need not happen.
func (g *Graph) Ends(outside []bool) []uint32 {
	var ends []uint32
	for s := range g.ends {
		if g.Beat.step(); !outside[s] && len(g.enabled(uint32(s))) == 0 {
			ends = append(ends, uint32(s))
		}
	}
	return ends
}

// A Round is a cycle from a state back to itself.
type Round struct {
	Entry uint32
	Edges []uint32 // the ordinals of the edges among the successors of their states
}

// FairRound returns a round outside a set of states that a fair infinite run repeats, and whether there is one.
//
// Fairness is weak, and of events: no event is enabled for ever from some point on and never taken. An infinite
// run stays finally in one strongly connected component; the fairest such run takes every edge of the component
// again and again. It is unfair to an event exactly if the event is enabled in every state of the component and
// no edge inside takes or renews it. A subset of the component has fewer states and fewer edges, so it cannot
// be fairer. Hence it suffices to check the maximal components. The time is the number of edges times the
// number of events enabled in a state.
//
// (Lichtenstein and Pnueli, Checking that finite state concurrent programs satisfy their linear specification,
// POPL 1985, for names of events; docs/proofs/search.md shows that a renewed name is another event.)
func (g *Graph) FairRound(outside []bool) (Round, bool) {
	for _, c := range stronglyConnected(outside, g.successors, &g.Beat) {
		if g.isFair(c) {
			return g.round(c), true
		}
	}
	return Round{}, false
}

// enabled returns the events that are enabled in a state and must happen, sorted. An event that a cut withholds
// counts as enabled.
func (g *Graph) enabled(s uint32) []uint32 {
	out := slices.Clone(g.Sets.Events(g.withheld[s]))
	for k := g.begin(s); k < g.ends[s]; k++ {
		if g.owes(k) {
			out = append(out, g.events[k])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// owes reports whether fairness covers the event of an edge.
func (g *Graph) owes(edge int) bool {
	return g.events[edge] != 0 && g.flags[edge]&(Environment|Repair|Spare) == 0
}

func (g *Graph) isEnabled(s, event uint32) bool {
	for k := g.begin(s); k < g.ends[s]; k++ {
		if g.events[k] == event && g.owes(k) {
			return true
		}
	}
	return g.Sets.Has(g.withheld[s], event)
}

// serves reports whether an edge takes or renews an event.
func (g *Graph) serves(edge int, event uint32) bool {
	return g.events[edge] == event || g.Sets.Has(g.renewed[edge], event)
}

// isFair reports whether a run through all edges of a component is fair.
func (g *Graph) isFair(component []uint32) bool {
	always := g.enabled(component[0])
	for _, s := range component {
		g.Beat.step()
		if always = slices.DeleteFunc(always, func(e uint32) bool { return !g.isEnabled(s, e) }); len(always) == 0 {
			return true
		}
	}
	for _, s := range component {
		g.Beat.step()
		for k := g.begin(s); k < g.ends[s]; k++ {
			if within(component, g.targets[k]) {
				always = slices.DeleteFunc(always, func(e uint32) bool { return g.serves(k, e) })
			}
		}
	}
	return len(always) == 0
}

// round returns a round from a component's first state. For each event enabled there, the round contains an
// edge that serves the event, or a state where the event is not enabled.
func (g *Graph) round(component []uint32) Round {
	start := component[0]
	r, at := Round{Entry: start}, start
	walk := func(enough func(s uint32, edge int) bool) {
		var leg []uint32
		leg, at = g.walk(component).path(at, enough)
		r.Edges = append(r.Edges, leg...)
	}
	for _, e := range g.enabled(start) {
		walk(func(s uint32, edge int) bool {
			return edge < 0 && !g.isEnabled(s, e) || edge >= 0 && g.serves(edge, e)
		})
	}
	if len(r.Edges) == 0 || at != start {
		walk(func(_ uint32, edge int) bool { return edge >= 0 && g.targets[edge] == start })
	}
	return r
}

func (g *Graph) walk(component []uint32) walk {
	return walk{&g.Beat, component, g.begin, func(s uint32) int { return g.ends[s] }, g.targets,
		func(s uint32, edge int) int32 { return int32(edge - g.begin(s)) }}
}

// A walk searches paths inside a component.
type walk struct {
	beat       *Beat
	component  []uint32
	begin, end func(node uint32) int
	targets    []uint32
	ordinal    func(node uint32, edge int) int32 // -1 for an edge that is no step
}

// path returns the ordinals of the edges of a shortest path, and the path's end. The path ends at a node or
// with an edge for which enough returns true; enough gets edge -1 for a node. It panics if there is none.
func (w walk) path(from uint32, enough func(node uint32, edge int) bool) ([]uint32, uint32) {
	type arrival struct {
		node uint32
		by   int32
		via  int
	}
	queue := []arrival{{from, -1, -1}}
	seen := map[uint32]bool{from: true}
	back := func(i int, last int32) []uint32 {
		var out []uint32
		if last >= 0 {
			out = append(out, uint32(last))
		}
		for ; queue[i].via >= 0; i = queue[i].via {
			if queue[i].by >= 0 {
				out = append(out, uint32(queue[i].by))
			}
		}
		slices.Reverse(out)
		return out
	}
	for i := 0; i < len(queue); i++ {
		w.beat.step()
		node := queue[i].node
		if enough(node, -1) {
			return back(i, -1), node
		}
		for k := w.begin(node); k < w.end(node); k++ {
			to := w.targets[k]
			if !within(w.component, to) {
				continue
			}
			if enough(node, k) {
				return back(i, w.ordinal(node, k)), to
			}
			if !seen[to] {
				seen[to] = true
				queue = append(queue, arrival{to, w.ordinal(node, k), i})
			}
		}
	}
	panic("a component is not connected")
}
