package search

import (
	"encoding/binary"
	"slices"

	"contend/model"
)

// process keeps the decision process of a search in which coins are tossed: whose turn
// it is in each state, the edges between turns, and which events are owed there.
type process struct {
	chance []bool         // by state: a coin is undecided
	owed   []uint32       // by state: a set of events, by number
	sets   intern[string] // of the sets: their events' bases
	edges  []edge         // of the states, in the order in which they were expanded
	ends   []int          // where each state's edges end
}

// A passage is what an edge takes.
type passage struct {
	label  uint32
	passes bool // time does
}

func passageOf(m move) passage { return passage{labelOf(m), m.delay > 0} }

// An edge leads from a turn of a state to another state, or to another of its turns.
type edge struct {
	from   int32
	to     uint32
	inner  bool
	chance bool // of an inner one: chance moves there
	passage
}

func newProcess() *process { return &process{sets: newIntern("")} }

// state notes a new state.
func (p *process) state(w *worker, v []uint32) {
	p.chance = append(p.chance, w.undecided(v) >= 0)
	var owed []byte
	for _, b := range w.owed(v) {
		owed = binary.LittleEndian.AppendUint32(owed, b)
	}
	p.owed = append(p.owed, p.sets.id(string(owed)))
}

// owed lists the events that must happen some time though nothing says when, sorted.
func (w *worker) owed(v []uint32) []uint32 {
	var bases []uint32
	for _, id := range v[w.head:] {
		if f := &w.flats[id]; f.hi == endless && f.kind < hold && !f.optional && (f.kind != kind(model.Deliver) || f.pos == 0) {
			bases = append(bases, f.base)
		}
	}
	slices.Sort(bases)
	return slices.Compact(bases)
}

// edge notes a successor of a turn of the state that is being expanded.
func (p *process) edge(from int32, to uint32, m move) {
	p.edges = append(p.edges, edge{from: from, to: to, passage: passageOf(m)})
}

// close ends the edges of a state with those to its turns.
func (p *process) close(turns []position) {
	for i, t := range turns {
		if i > 0 {
			p.edges = append(p.edges, edge{from: t.from, to: uint32(i), inner: true, chance: t.chance, passage: t.step})
		}
	}
	p.ends = append(p.ends, len(p.edges))
}

// A game is a process with its turns numbered: those of states as the states are, and
// the others after them. Chance takes each edge of its turns with some probability; of
// the others the adversary picks one.
type game struct {
	chance  []bool
	states  []uint32 // of the turns
	begins  []int    // where each turn's edges begin, and the last end
	targets []uint32
	steps   []passage
	by      []int32 // of the edges: which successor of its state it makes, or -1
	owed    [][]uint32
}

// game numbers the turns.
func (p *process) game() *game {
	g := &game{chance: slices.Clone(p.chance)}
	for s := range p.ends {
		g.states = append(g.states, uint32(s))
		var owed []uint32
		for b := []byte(p.sets.items[p.owed[s]]); len(b) > 0; b = b[4:] {
			owed = append(owed, binary.LittleEndian.Uint32(b))
		}
		g.owed = append(g.owed, owed)
	}
	first := make([]int, len(p.ends)) // the number of each state's first turn besides itself, less one
	p.each(func(s int, e edge, _ int32) {
		if e.inner {
			if e.to == 1 {
				first[s] = len(g.states) - 1
			}
			g.states, g.chance = append(g.states, uint32(s)), append(g.chance, e.chance)
		}
	})
	number := func(s int, turn uint32) uint32 {
		if turn == 0 {
			return uint32(s)
		}
		return uint32(first[s]) + turn
	}
	g.begins = make([]int, len(g.states)+1)
	p.each(func(s int, e edge, _ int32) { g.begins[number(s, uint32(e.from))+1]++ })
	for i := range g.states {
		g.begins[i+1] += g.begins[i]
	}
	g.targets, g.steps, g.by = make([]uint32, len(p.edges)), make([]passage, len(p.edges)), make([]int32, len(p.edges))
	at := slices.Clone(g.begins)
	p.each(func(s int, e edge, by int32) {
		from := number(s, uint32(e.from))
		k := at[from]
		at[from]++
		g.targets[k], g.steps[k], g.by[k] = e.to, e.passage, by
		if e.inner {
			g.targets[k] = number(s, e.to)
		}
	})
	return g
}

// each hands on every edge with its state, and which successor of the state it makes.
func (p *process) each(yield func(s int, e edge, by int32)) {
	k := 0
	for s, end := range p.ends {
		for by := int32(0); k < end; k++ {
			if e := p.edges[k]; e.inner {
				yield(s, e, -1)
			} else {
				yield(s, e, by)
				by++
			}
		}
	}
}

func (g *game) successors(t uint32) []uint32 { return g.targets[g.begins[t]:g.begins[t+1]] }

// endComponents returns the maximal end components among the turns of states outside a
// set, each sorted: where the adversary can keep the run for ever, whatever chance
// does, and can see to it that every turn comes again and again with probability one.
//
// A strongly connected component is one when every edge of chance's turns stays within,
// and of each of the adversary's some edge does; else the turns for which this is not
// so are no part of any.
func (g *game) endComponents(outside []bool) [][]uint32 {
	out := make([]bool, len(g.states))
	for t, s := range g.states {
		out[t] = outside[s]
	}
	for {
		found := strongly(out, g.successors)
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

// standsStill reports whether somewhere outside a set no way leads into it or to an edge
// that takes time: then no run counts from there, and nothing would follow from that.
func (g *game) standsStill(outside []bool) bool {
	moves := make([]bool, len(g.states))
	for changed := true; changed; {
		changed = false
		for p := len(moves) - 1; p >= 0; p-- {
			if moves[p] {
				continue
			}
			for k := g.begins[p]; k < g.begins[p+1] && !moves[p]; k++ {
				moves[p] = g.steps[k].passes || moves[g.targets[k]]
			}
			moves[p] = moves[p] || outside[g.states[p]]
			changed = changed || moves[p]
		}
	}
	return slices.Contains(moves, false)
}

func (g *game) stays(t uint32, in []int) bool {
	if in[t] == 0 {
		return false
	}
	within := func(to uint32) bool { return in[to] == in[t] }
	if g.chance[t] {
		return !slices.ContainsFunc(g.successors(t), func(to uint32) bool { return !within(to) })
	}
	return slices.ContainsFunc(g.successors(t), within)
}

// lasts reports whether runs that stay in an end component count: time goes on, and
// each event that is owed all along is taken. If a part of a component lasts, so does
// the whole.
func (g *game) lasts(component []uint32) bool {
	passes := false
	var always []uint32
	first := true
	taken := map[uint32]bool{}
	for _, t := range component {
		if int(t) < len(g.owed) {
			if first {
				always, first = slices.Clone(g.owed[t]), false
			}
			always = slices.DeleteFunc(always, func(e uint32) bool { _, owed := slices.BinarySearch(g.owed[t], e); return !owed })
		}
		for k := g.begins[t]; k < g.begins[t+1]; k++ {
			if _, within := slices.BinarySearch(component, g.targets[k]); within {
				taken[g.steps[k].label] = true
				passes = passes || g.steps[k].passes
			}
		}
	}
	return passes && !slices.ContainsFunc(always, func(e uint32) bool { return !taken[e] })
}
