package liveness

import "slices"

// Ends lists the states outside a set in which a fair run may end: no event is enabled
// there but such as force nothing, and none is kept from firing by a cut. What the
// environment might do does not matter, since it need not.
func (g *Graph) Ends(outside []bool) []uint32 {
	var ends []uint32
	for s := range g.ends {
		if g.Beat.step(); !outside[s] && len(g.enabled(uint32(s))) == 0 {
			ends = append(ends, uint32(s))
		}
	}
	return ends
}

// A Round is a way from a state back to it.
type Round struct {
	Entry uint32
	Edges []uint32 // the ordinals of the edges to take
}

// FairRound looks for a fair run that goes on for ever outside a set, and returns a round
// that such a run repeats.
//
// Fairness is weak and of events: no event is enabled from some point on for ever and never
// taken. A run that goes on for ever stays, in the end, in one strongly connected
// component, and at its best takes each edge there again and again. An event of one name is
// then unfairly left out exactly when it is enabled in every state of the component, and no
// edge within takes it or makes it anew. This gets no better in a part of the component,
// which has fewer states to be disabled in and fewer edges. So there is a fair run
// exactly when some maximal component passes, and one look at each is enough: the time of
// the edges, times the number of events enabled in a state.
//
// (Lichtenstein and Pnueli, Checking that finite state concurrent programs satisfy their
// linear specification, POPL 1985, for names of events; that a name made anew is another
// event is argued in docs/proofs/search.md.)
func (g *Graph) FairRound(outside []bool) (Round, bool) {
	for _, c := range strongly(outside, g.successors, &g.Beat) {
		if g.fairIn(c) {
			return g.round(c), true
		}
	}
	return Round{}, false
}

// enabled lists the events that are enabled in a state and force something, sorted. One
// that a cut keeps from firing is.
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

// serves reports whether an edge takes an event, or makes it anew.
func (g *Graph) serves(edge int, event uint32) bool {
	return g.events[edge] == event || g.Sets.Has(g.renewed[edge], event)
}

// fairIn reports whether a component has a fair run through all of it.
func (g *Graph) fairIn(component []uint32) bool {
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

// round goes from a component's first state back to it, and on the way, for each event that
// is enabled there, over an edge that serves it or through a state where it is not enabled.
func (g *Graph) round(component []uint32) Round {
	start := component[0]
	r, at := Round{Entry: start}, start
	walk := func(enough func(s uint32, edge int) bool) {
		var leg []uint32
		leg, at = g.walk(component).to(at, enough)
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

// A walk finds ways inside a component.
type walk struct {
	beat       *Beat
	component  []uint32
	begin, end func(node uint32) int
	targets    []uint32
	ordinal    func(node uint32, edge int) int32 // -1 for an edge that is no step
}

// to finds the shortest way from a node to one that is enough, or over an edge that is. It
// returns the ordinals of the edges and where it ends.
func (w walk) to(from uint32, enough func(node uint32, edge int) bool) ([]uint32, uint32) {
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
