package liveness

import "slices"

// Stay looks for a place outside a set where the adversary can keep the run for ever: an
// end component of runs that count. The goal is missed with some probability exactly when
// there is one.
//
// From an end component the adversary never lets the run go, whatever chance does; and
// outside of all of them it stays with probability zero, however it plays. Every state of
// the game can be led to with some probability. So the goal is reached with probability
// one from everywhere, against every adversary, exactly when no end component of states
// short of it has runs that count; and if a part of a component has some, so has the
// whole.
//
// (de Alfaro, Formal verification of probabilistic systems, 1997, §3; Forejt,
// Kwiatkowska, Norman and Parker, Automated verification techniques for probabilistic
// systems, 2011, §4.)
func (g *Game) Stay(outside []bool) ([]uint32, bool) {
	for _, c := range g.endComponents(outside) {
		if g.lasts(c) {
			return c, true
		}
	}
	return nil, false
}

// endComponents returns the maximal end components among the turns of states outside a
// set, each sorted: where the adversary can keep the run for ever, whatever chance
// does, and can see to it that every turn comes again and again with probability one.
//
// A strongly connected component is one when every edge of chance's turns stays within,
// and of each of the adversary's some edge does; else the turns for which this is not
// so are no part of any, and what is left is looked at again. That is at most as many times
// as there are turns, each in the time of the edges.
func (g *Game) endComponents(outside []bool) [][]uint32 {
	out := make([]bool, len(g.states))
	for t, s := range g.states {
		out[t] = outside[s]
	}
	for {
		found := strongly(out, g.successors, &g.Beat)
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

// lasts reports whether runs that stay in an end component count: time goes on, and
// each event that is owed all along is taken, or made anew.
func (g *Game) lasts(component []uint32) bool {
	passes := false
	always := slices.Clone(g.sets.Events(g.owedIn(component)))
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

// owedIn is what is owed in some state of a component. Every component has one: a round
// leads from state to state.
func (g *Game) owedIn(component []uint32) uint32 {
	if first := component[0]; int(first) < len(g.owed) {
		return g.owed[first]
	}
	return 0
}

func (g *Game) serves(edge int, event uint32) bool {
	return g.steps[edge].Event == event || g.sets.Has(g.steps[edge].Renewed, event)
}

// StandsStill reports whether somewhere outside a set no way leads into it or to an edge
// that takes time: then no run counts from there, and nothing would follow from that.
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

// Round returns a round through an end component, from its first state, in which time
// passes and each event that is owed all along is taken or made anew. Chance might go
// another way round; the adversary would stay all the same.
func (g *Game) Round(component []uint32) Round {
	start := component[0]
	r, at := Round{Entry: start}, start
	walk := func(enough func(t uint32, edge int) bool) {
		var leg []uint32
		leg, at = g.walk(component).to(at, enough)
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
		g.targets, func(_ uint32, edge int) int32 { return g.by[edge] }}
}
