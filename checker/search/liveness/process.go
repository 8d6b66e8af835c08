package liveness

import "slices"

// A Process collects the moves of a game between an adversary and chance while states are expanded. A state has
// one or more turns: the first is the state itself, the others are between the choices of one step.
type Process struct {
	sets   *Sets
	chance []bool   // by state: chance has the first turn
	owed   []uint32 // by state: the set of owed events
	moves  []Move   // of the states, in the order of their expansion
	ends   []int    // by state: the end of its moves
}

// A Step is the effect of a move.
type Step struct {
	Event   uint32 // the protocol's event that is taken, or 0
	Renewed uint32 // the set of renewed events
	Passes  bool   // time passes
}

// A Move leads from a turn of a state to another state, or to another turn of the same state.
type Move struct {
	From   int32
	To     uint32
	Inner  bool // to a turn of the same state
	Chance bool // if Inner: chance moves at the turn To
	Step
}

// NewProcess returns an empty process whose sets of events are numbered by sets.
func NewProcess(sets *Sets) *Process { return &Process{sets: sets} }

// State adds a state, with the events that must happen there eventually but have no deadline.
func (p *Process) State(chance bool, owed []uint32) {
	p.chance, p.owed = append(p.chance, chance), append(p.owed, p.sets.Of(owed))
}

// Move adds a move of the state that is being expanded. Inner turns are numbered from 1, in the order of the
// moves to them.
func (p *Process) Move(m Move) { p.moves = append(p.moves, m) }

// Close ends the moves of a state.
func (p *Process) Close() { p.ends = append(p.ends, len(p.moves)) }

// A Game is a complete process with numbered turns: the turns of states have the numbers of the states, the
// other turns follow. Chance takes each edge of its turns with positive probability. At other turns the
// adversary picks an edge.
type Game struct {
	Beat     Beat
	sets     *Sets
	chance   []bool
	states   []uint32 // by turn: its state
	begins   []int    // by turn: the begin of its edges; and the last end
	targets  []uint32
	steps    []Step
	ordinals []int32  // by edge: the ordinal of the successor of its state, or -1
	owed     []uint32 // by state
}

// Game returns the game of the process. No state may be added afterwards.
func (p *Process) Game() *Game {
	g := &Game{sets: p.sets, chance: p.chance, owed: p.owed}
	for s := range p.ends {
		g.states = append(g.states, uint32(s))
	}
	first := make([]int, len(p.ends)) // by state: the number of its first inner turn, minus 1
	p.eachMove(func(s int, m Move, _ int32) {
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
	p.eachMove(func(s int, m Move, _ int32) { g.begins[number(s, uint32(m.From))+1]++ })
	for i := range g.states {
		g.begins[i+1] += g.begins[i]
	}
	g.targets, g.steps, g.ordinals = make([]uint32, len(p.moves)), make([]Step, len(p.moves)), make([]int32, len(p.moves))
	at := slices.Clone(g.begins)
	p.eachMove(func(s int, m Move, by int32) {
		from := number(s, uint32(m.From))
		k := at[from]
		at[from]++
		g.targets[k], g.steps[k], g.ordinals[k] = m.To, m.Step, by
		if m.Inner {
			g.targets[k] = number(s, m.To)
		}
	})
	return g
}

// eachMove calls yield with every move, its state, and the ordinal of the successor that it leads to, or -1.
func (p *Process) eachMove(yield func(s int, m Move, by int32)) {
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

// Tossed returns the number of chance's turns among some turns.
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
