package liveness

import "slices"

// A Process collects the game between an adversary and chance while states are expanded.
// Within a state there are turns: the first is the state itself, others come between the
// choices that make up one step.
type Process struct {
	sets   *Sets
	chance []bool   // by state: chance moves first there
	owed   []uint32 // by state: the set of events that are owed
	moves  []Move   // of the states, in the order in which they were expanded
	ends   []int    // where each state's moves end
}

// A Step is what a move does.
type Step struct {
	Event   uint32 // that is taken; 0 when it is none of the protocol's
	Renewed uint32 // the set of events that are made anew
	Passes  bool   // time does
}

// A Move leads from a turn of a state to another state, or to another of its turns.
type Move struct {
	From   int32
	To     uint32
	Inner  bool // to a turn of the same state
	Chance bool // of an inner one: chance moves there
	Step
}

// NewProcess makes an empty process whose sets of events are named by sets.
func NewProcess(sets *Sets) *Process { return &Process{sets: sets} }

// State notes a new state, and the events that must happen there some time though nothing
// says when.
func (p *Process) State(chance bool, owed []uint32) {
	p.chance, p.owed = append(p.chance, chance), append(p.owed, p.sets.Of(owed))
}

// Move notes a move of the state that is being expanded. Inner turns are numbered from 1 in
// the order of the moves to them.
func (p *Process) Move(m Move) { p.moves = append(p.moves, m) }

// Close ends the moves of a state.
func (p *Process) Close() { p.ends = append(p.ends, len(p.moves)) }

// A Game is a process with its turns numbered: those of states as the states are, and
// the others after them. Chance takes each edge of its turns with some probability; of
// the others the adversary picks one.
type Game struct {
	Beat    Beat
	sets    *Sets
	chance  []bool
	states  []uint32 // of the turns
	begins  []int    // where each turn's edges begin, and the last end
	targets []uint32
	steps   []Step
	by      []int32  // of the edges: which successor of its state it makes, or -1
	owed    []uint32 // by state
}

// Game numbers the turns. The process is at its end then: no state is added any more.
func (p *Process) Game() *Game {
	g := &Game{sets: p.sets, chance: p.chance, owed: p.owed}
	for s := range p.ends {
		g.states = append(g.states, uint32(s))
	}
	first := make([]int, len(p.ends)) // the number of each state's first turn besides itself, less one
	p.each(func(s int, m Move, _ int32) {
		if m.Inner {
			if m.To == 1 {
				first[s] = len(g.states) - 1
			}
			g.states, g.chance = append(g.states, uint32(s)), append(g.chance, m.Chance)
		}
	})
	number := func(s int, turn uint32) uint32 {
		if turn == 0 {
			return uint32(s)
		}
		return uint32(first[s]) + turn
	}
	g.begins = make([]int, len(g.states)+1)
	p.each(func(s int, m Move, _ int32) { g.begins[number(s, uint32(m.From))+1]++ })
	for i := range g.states {
		g.begins[i+1] += g.begins[i]
	}
	g.targets, g.steps, g.by = make([]uint32, len(p.moves)), make([]Step, len(p.moves)), make([]int32, len(p.moves))
	at := slices.Clone(g.begins)
	p.each(func(s int, m Move, by int32) {
		from := number(s, uint32(m.From))
		k := at[from]
		at[from]++
		g.targets[k], g.steps[k], g.by[k] = m.To, m.Step, by
		if m.Inner {
			g.targets[k] = number(s, m.To)
		}
	})
	return g
}

// each hands on every move with its state, and which successor of the state it makes.
func (p *Process) each(yield func(s int, m Move, by int32)) {
	k := 0
	for s, end := range p.ends {
		for by := int32(0); k < end; k++ {
			if m := p.moves[k]; m.Inner {
				yield(s, m, -1)
			} else {
				yield(s, m, by)
				by++
			}
		}
	}
}

func (g *Game) successors(t uint32) []uint32 { return g.targets[g.begins[t]:g.begins[t+1]] }

// Tossed counts the turns of chance among some.
func (g *Game) Tossed(turns []uint32) int {
	n := 0
	for _, t := range turns {
		if g.chance[t] {
			n++
		}
	}
	return n
}

func (g *Game) owes(turn, event uint32) bool {
	return int(turn) < len(g.owed) && g.sets.Has(g.owed[turn], event)
}
