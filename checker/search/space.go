package search

import (
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/model"
)

// A Space is the whole state space of a search, for whoever draws it: the states and the steps that the
// search counts, in the order in which it met them. It is kept only where [Options.Draw] asks for it, by
// what stands before the searcher's Emit, so that a search which is not drawn knows nothing of it.
type Space struct {
	States []Met
	Edges  []Edge
}

// Met is a state as it was met first.
type Met struct {
	From     int          // the state it was met from; -1 for a first one
	Nodes    []model.Node // nil when down, or Byzantine
	InFlight []Message
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
	Step     Step
	Violates []int // claims, by place; [len(claims)] is that no handler fails
}

// space keeps the space while it is searched.
type space struct {
	Space
	s       *searcher
	numbers map[fingerprint.Print]int
}

// keepSpace has a searcher's steps kept.
func keepSpace(s *searcher) *space {
	p := &space{s: s, numbers: map[fingerprint.Print]int{}}
	s.Emit, s.Fail = p.found, p.failed
	return p
}

// found is told of each successor before the searcher is.
func (p *space) found(v []uint32) {
	key := p.s.Sum
	if p.s.orbits != nil {
		key = p.s.orbits.Key(v, key)
	}
	to := p.number(p.s.x.set.Stored(key), v)
	if !p.s.rooted {
		p.edge(to)
	}
	p.s.found(v)
}

// failed is told of each step that ends in a handler that fails.
func (p *space) failed(left []uint32) {
	if !p.s.rooted {
		p.edge(-1)
	}
	p.s.failed(left)
}

func (p *space) edge(to int) {
	s := p.s
	e := Edge{From: p.numbers[s.present], To: to}
	s.Ask(func() { e.Step = s.x.step(s.Move, 0) })
	for _, b := range s.Move.Broken {
		switch {
		case b.Monitor == step.Failing:
			e.Violates = append(e.Violates, s.x.failing())
		case b.Measured == 0:
			e.Violates = append(e.Violates, s.x.claimOf[b.Monitor])
		}
	}
	p.Edges = append(p.Edges, e)
}

// number is that of a state, which is kept when it is new.
func (p *space) number(key fingerprint.Print, v []uint32) int {
	n, known := p.numbers[key]
	if known {
		return n
	}
	s := p.s
	n = len(p.States)
	p.numbers[key] = n
	m := Met{From: -1, Done: s.Done(v)}
	if !s.rooted {
		m.From = p.numbers[s.present]
	}
	for k, claim := range s.invs.claims {
		if text, _ := s.invs.judge(k, v); text != "" {
			m.Violates = append(m.Violates, claim)
		}
	}
	m.Nodes, _ = s.invs.decoded(v) // after the invariants, which look at what is decoded for them
	s.Ask(func() { m.InFlight = s.x.inFlightOf(v) })
	p.States = append(p.States, m)
	return n
}

// inFlightOf returns the messages pending in a vector, without their occurrences.
func (x *explorer) inFlightOf(v []uint32) (all []Message) {
	return x.inFlight(v, step.Cast{Is: make([]int32, len(v)-x.Head)})
}

// close is told of each state that was expanded, and whether time is locked there.
func (p *space) close(locked bool) {
	m := &p.States[p.numbers[p.s.present]]
	m.Expanded, m.Cut = true, p.s.Cuts != 0
	m.Stuck = locked || !m.Done && !p.s.Movable && !p.s.Repairs && len(p.s.Withheld) == 0
}

// finish marks the states from which goals cannot be reached, and hands the space over.
func (p *space) finish() *Space {
	x := p.s.x
	if x.graph != nil && x.res.Complete {
		for _, l := range x.graph.possible {
			for _, state := range x.graph.edges.Possible(l.reached).Doomed {
				m := &p.States[p.numbers[x.graph.keys[state]]]
				m.Doomed = append(m.Doomed, l.claim)
			}
		}
	}
	return &p.Space
}
