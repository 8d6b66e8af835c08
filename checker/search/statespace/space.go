// Package statespace records the whole state space of a search, for drawings.
package statespace

import (
	"contend/checker/search/fingerprint"
	"contend/checker/search/graph"
	"contend/checker/search/invariants"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/model"
)

// A Space is the states and steps of a search, in the order of discovery. A [Keeper] in front of the searcher's
// Emit records it, so that other searches do not pay for it.
type Space struct {
	States []State
	Edges  []Edge
}

// A State is a state as it was first met.
type State struct {
	From     int          // the parent state; -1 for an initial state
	Boot     []runs.Pick  // the answers to Start, of an initial state
	Nodes    []model.Node // nil for a node that is down or Byzantine
	InFlight []runs.Message
	Done     bool // every script is complete
	Expanded bool // its successors were computed
	Stuck    bool // a deadlock: only the environment can move and a script is incomplete, or time is locked
	Cut      bool // a cut withholds a step
	// Violates are the claims, by index, whose invariant the state breaks. Doomed are the
	// possibility claims whose goal is unreachable from the state, if the search is complete.
	Violates, Doomed []int
}

// An Edge is a step between states. To is -1 if a handler fails: the step has no target.
type Edge struct {
	From, To int
	Step     runs.Step
	Violates []int // claims, by index; the number of claims stands for a failed handler
}

// A Keeper records the space during a search.
type Keeper struct {
	space   Space
	w       *step.Worker
	asker   *invariants.Asker
	taker   *runs.Taker
	claims  int // number of claims
	current func() (state fingerprint.Print, first bool)
	emit    func(v []uint32)
	fail    func(left []uint32)
	numbers map[fingerprint.Print]int
}

// Keep makes a worker call a new keeper before its present Emit and Fail. The keeper calls at during these
// calls and in Close. It returns the key of the expanded state, or true for initial states.
func Keep(taker *runs.Taker, asked *invariants.Asker, claims int, at func() (state fingerprint.Print, first bool)) *Keeper {
	w := taker.Worker
	p := &Keeper{w: w, asker: asked, taker: taker, claims: claims, current: at, emit: w.Emit, fail: w.Fail, numbers: map[fingerprint.Print]int{}}
	w.Emit, w.Fail = p.recordSuccessor, p.recordFailure
	return p
}

// recordSuccessor records a successor and passes it to the searcher.
func (p *Keeper) recordSuccessor(v []uint32) {
	key := p.w.Sum
	if p.taker.Orbits != nil {
		key = p.taker.Orbits.Key(v, key)
	}
	at, first := p.current()
	to := p.recordState(p.taker.States.Stored(key), v, at, first)
	if !first {
		p.recordEdge(at, to)
	}
	p.emit(v)
}

// recordFailure records a step that ends in a failed handler, and passes it to the searcher.
func (p *Keeper) recordFailure(left []uint32) {
	if at, first := p.current(); !first {
		p.recordEdge(at, -1)
	}
	p.fail(left)
}

func (p *Keeper) recordEdge(at fingerprint.Print, to int) {
	w := p.w
	e := Edge{From: p.numbers[at], To: to}
	w.Ask(func() { e.Step = p.taker.Step(w.Move, 0) })
	for _, b := range w.Move.Broken {
		switch {
		case b.Monitor == step.Failing:
			e.Violates = append(e.Violates, p.claims)
		case b.Measured == 0:
			e.Violates = append(e.Violates, p.taker.ClaimOf[b.Monitor])
		}
	}
	p.space.Edges = append(p.space.Edges, e)
}

// recordState returns the number of a state. It records a new state.
func (p *Keeper) recordState(key fingerprint.Print, v []uint32, at fingerprint.Print, first bool) int {
	n, known := p.numbers[key]
	if known {
		return n
	}
	n = len(p.space.States)
	p.numbers[key] = n
	m := State{From: -1, Done: p.w.Done(v)}
	if first {
		m.Boot = runs.Picks(p.w.Move.Picks)
	} else {
		m.From = p.numbers[at]
	}
	for k, claim := range p.asker.Claims {
		if text, _ := p.asker.Judge(k, v); text != "" {
			m.Violates = append(m.Violates, claim)
		}
	}
	m.Nodes = p.asker.Nodes(v) // after the invariants, which decode nodes for themselves
	p.w.Ask(func() { m.InFlight = p.taker.InFlight(v) })
	p.space.States = append(p.space.States, m)
	return n
}

// Close records that a state was expanded, and whether time is locked there. The searcher calls it after each
// expansion.
func (p *Keeper) Close(locked bool) {
	at, _ := p.current()
	m := &p.space.States[p.numbers[at]]
	m.Expanded, m.Cut = true, p.w.Cuts != 0
	m.Stuck = locked || !m.Done && !p.w.Movable && !p.w.Repairs && len(p.w.Withheld) == 0
}

// Finish returns the space. With the graph of a complete search, it marks the states from which goals are
// unreachable.
func (p *Keeper) Finish(g *graph.Graph) *Space {
	if g != nil {
		for _, l := range g.Possible {
			for _, state := range g.Edges.Possible(l.Reached).Doomed {
				m := &p.space.States[p.numbers[g.Keys[state]]]
				m.Doomed = append(m.Doomed, l.Claim)
			}
		}
	}
	return &p.space
}
