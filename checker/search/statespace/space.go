// Package statespace keeps the whole state space of a search for whoever draws it.
package statespace

import (
	"contend/checker/search/fingerprint"
	"contend/checker/search/graph"
	"contend/checker/search/invariants"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/model"
)

// A Space is the states and the steps that a search counts, in the order in which it met them. It is
// kept by what stands before the searcher's Emit, so that a search which is not drawn knows nothing of it.
type Space struct {
	States []Met
	Edges  []Edge
}

// Met is a state as it was met first.
type Met struct {
	From     int          // the state it was met from; -1 for a first one
	Nodes    []model.Node // nil when down, or Byzantine
	InFlight []runs.Message
	Done     bool // every script is done
	Expanded bool // its steps were looked at
	Stuck    bool // nothing can happen any more, but by the environment, and a script is not done; or time cannot go on
	Cut      bool // a cut keeps some step from being taken
	// Violates are the claims, by place, whose invariant it breaks; Doomed those whose goal cannot be
	// reached from it, where a claim asks for that and the search is complete.
	Violates, Doomed []int
}

// An Edge is a step from a state to another; To is -1 where a handler fails, and the step leads nowhere.
type Edge struct {
	From, To int
	Step     runs.Step
	Violates []int // claims, by place; [len(claims)] is that no handler fails
}

// A Keeper keeps the space while it is searched.
type Keeper struct {
	space   Space
	w       *step.Worker
	asked   *invariants.Asker
	taker   *runs.Taker
	claims  int // how many there are
	at      func() (state fingerprint.Print, first bool)
	emit    func(v []uint32)
	fail    func(left []uint32)
	numbers map[fingerprint.Print]int
}

// Keep has a worker's steps kept, and told as before. At gives the key of the state that is expanded, and
// says whether first states are being made.
func Keep(taker *runs.Taker, asked *invariants.Asker, claims int, at func() (state fingerprint.Print, first bool)) *Keeper {
	w := taker.Worker
	p := &Keeper{w: w, asked: asked, taker: taker, claims: claims, at: at, emit: w.Emit, fail: w.Fail, numbers: map[fingerprint.Print]int{}}
	w.Emit, w.Fail = p.found, p.failed
	return p
}

// found is told of each successor before the searcher is.
func (p *Keeper) found(v []uint32) {
	key := p.w.Sum
	if p.taker.Orbits != nil {
		key = p.taker.Orbits.Key(v, key)
	}
	at, first := p.at()
	to := p.number(p.taker.States.Stored(key), v, at, first)
	if !first {
		p.edge(at, to)
	}
	p.emit(v)
}

// failed is told of each step that ends in a handler that fails.
func (p *Keeper) failed(left []uint32) {
	if at, first := p.at(); !first {
		p.edge(at, -1)
	}
	p.fail(left)
}

func (p *Keeper) edge(at fingerprint.Print, to int) {
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

// number is that of a state, which is kept when it is new.
func (p *Keeper) number(key fingerprint.Print, v []uint32, at fingerprint.Print, first bool) int {
	n, known := p.numbers[key]
	if known {
		return n
	}
	n = len(p.space.States)
	p.numbers[key] = n
	m := Met{From: -1, Done: p.w.Done(v)}
	if !first {
		m.From = p.numbers[at]
	}
	for k, claim := range p.asked.Claims {
		if text, _ := p.asked.Judge(k, v); text != "" {
			m.Violates = append(m.Violates, claim)
		}
	}
	m.Nodes = p.asked.Nodes(v) // after the invariants, which look at what is decoded for them
	p.w.Ask(func() { m.InFlight = p.taker.InFlight(v) })
	p.space.States = append(p.space.States, m)
	return n
}

// Close is told of each state that was expanded, and whether time is locked there.
func (p *Keeper) Close(locked bool) {
	at, _ := p.at()
	m := &p.space.States[p.numbers[at]]
	m.Expanded, m.Cut = true, p.w.Cuts != 0
	m.Stuck = locked || !m.Done && !p.w.Movable && !p.w.Repairs && len(p.w.Withheld) == 0
}

// Finish hands the space over. It marks the states from which goals cannot be reached, where there is the
// graph of a complete search.
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
