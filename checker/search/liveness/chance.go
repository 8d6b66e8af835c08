package liveness

import "slices"

// Stay returns an end component outside a set of states whose runs count, and whether there is one. In it the
// adversary can keep the run for ever.
//
// Why it decides the claim: in an end component the adversary can keep the run, whatever chance does. Outside
// all end components the run stays with probability 0, whatever the adversary does. Every state of the game is
// reached with positive probability under some adversary. So the goal is reached with probability 1 from
// everywhere, against every adversary, exactly if no end component of states without the goal has runs that
// count. If a part of a component has such runs, so has the whole component; so maximal end components suffice.
//
// (de Alfaro, Formal verification of probabilistic systems, 1997, §3; Forejt, Kwiatkowska, Norman and Parker,
// Automated verification techniques for probabilistic systems, 2011, §4.)
func (g *Game) Stay(outside []bool) ([]uint32, bool) {
	for _, c := range g.endComponents(outside) {
		if g.counts(c) {
			return c, true
		}
	}
	return nil, false
}

// endComponents returns the maximal end components among the turns of states outside a set, each sorted. In an
// end component the adversary can keep the run for ever, and can visit every turn again and again with
// probability 1.
//
// A strongly connected component is an end component if every edge of chance's turns stays inside, and some
// edge of each adversary's turn does. Turns that violate this are in no end component; they are removed, and
// the search is repeated. There are at most as many repetitions as turns, each linear in the number of edges.
func (g *Game) endComponents(outside []bool) [][]uint32 {
	out := make([]bool, len(g.states))
	for t, s := range g.states {
		out[t] = outside[s]
	}
	for {
		found := stronglyConnected(out, g.successors, &g.Beat)
		in := make([]int, len(out)) // the component of each turn, from 1
		for i, c := range found {
			for _, t := range c {
				in[t] = i + 1
			}
		}
		left := false
		for t := range out {
			if !out[t] && !g.stays(uint32(t), in) {
				out[t], left = true, true
			}
		}
		if !left {
			return found
		}
	}
}

func (g *Game) stays(t uint32, in []int) bool {
	if in[t] == 0 {
		return false
	}
	here := func(to uint32) bool { return in[to] == in[t] }
	if g.chance[t] {
		return !slices.ContainsFunc(g.successors(t), func(to uint32) bool { return !here(to) })
	}
	return slices.ContainsFunc(g.successors(t), here)
}

// counts reports whether runs that stay in an end component count: time passes, and each event that is owed in
// all states is taken or renewed.
func (g *Game) counts(component []uint32) bool {
	passes := false
	always := slices.Clone(g.sets.Events(g.owedSet(component)))
	for _, t := range component {
		if int(t) < len(g.owed) {
			always = slices.DeleteFunc(always, func(e uint32) bool { return !g.owes(t, e) })
		}
	}
	for _, t := range component {
		g.Beat.step()
		for k := g.begins[t]; k < g.begins[t+1]; k++ {
			if within(component, g.targets[k]) {
				always = slices.DeleteFunc(always, func(e uint32) bool { return g.serves(k, e) })
				passes = passes || g.steps[k].Passes
			}
		}
	}
	return passes && len(always) == 0
}

// owedSet returns the set of events owed in some state of a component. Every component has a state, since each
// round goes through states.
func (g *Game) owedSet(component []uint32) uint32 {
	if first := component[0]; int(first) < len(g.owed) {
		return g.owed[first]
	}
	return 0
}

func (g *Game) serves(edge int, event uint32) bool {
	return g.steps[edge].Event == event || g.sets.Has(g.steps[edge].Renewed, event)
}

// StandsStill reports whether there is a turn from which no path leads into a set or to an edge that takes
// time. No run from such a turn counts, and so a claim about it would be vacuous.
func (g *Game) StandsStill(outside []bool) bool {
	moves := make([]bool, len(g.states))
	for changed := true; changed; {
		changed = false
		for p := len(moves) - 1; p >= 0; p-- {
			g.Beat.step()
			if moves[p] {
				continue
			}
			for k := g.begins[p]; k < g.begins[p+1] && !moves[p]; k++ {
				moves[p] = g.steps[k].Passes || moves[g.targets[k]]
			}
			moves[p] = moves[p] || outside[g.states[p]]
			changed = changed || moves[p]
		}
	}
	return slices.Contains(moves, false)
}

// Round returns a round through an end component from its first state. On the round time passes, and each event
// that is owed in all states is taken or renewed. Chance may choose another round, but the adversary stays in
// the component.
func (g *Game) Round(component []uint32) Round {
	start := component[0]
	r, at := Round{Entry: start}, start
	walk := func(enough func(t uint32, edge int) bool) {
		var leg []uint32
		leg, at = g.walk(component).path(at, enough)
		r.Edges = append(r.Edges, leg...)
	}
	walk(func(_ uint32, edge int) bool { return edge >= 0 && g.steps[edge].Passes })
	for _, e := range g.sets.Events(g.owed[start]) {
		walk(func(t uint32, edge int) bool {
			if edge >= 0 {
				return g.serves(edge, e)
			}
			return int(t) < len(g.owed) && !g.owes(t, e)
		})
	}
	if at != start {
		walk(func(t uint32, edge int) bool { return edge < 0 && t == start })
	}
	return r
}

func (g *Game) walk(component []uint32) walk {
	return walk{&g.Beat, component, func(t uint32) int { return g.begins[t] }, func(t uint32) int { return g.begins[t+1] },
		g.targets, func(_ uint32, edge int) int32 { return g.ordinals[edge] }}
}
