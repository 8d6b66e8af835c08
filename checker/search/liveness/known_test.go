package liveness

import (
	"slices"
	"testing"
)

// The random graphs of the other tests have states that are named by few bits, and are judged over the same
// slices. Here graphs are written down with what is to come out.

// A set has one number, whatever the order, and every bit of an event tells sets apart.
func TestSets(t *testing.T) {
	s := newSets()
	seen := map[uint32]int{0: -1} // number 0 is the empty set
	for bit := range 32 {
		e := uint32(1) << bit
		of := s.Of([]uint32{e})
		if other, known := seen[of]; known {
			t.Errorf("bits %d and %d have one number", bit, other)
		}
		seen[of] = bit
		if s.Of([]uint32{e}) != of || !slices.Equal(s.Events(of), []uint32{e}) || !s.Has(of, e) || s.Has(of, e+1) {
			t.Errorf("bit %d: set %d has %v", bit, of, s.Events(of))
		}
	}
	if of := s.Of([]uint32{0}); seen[of] != 0 || of == 0 {
		t.Errorf("event 0 alone is set %d, which is that of bit %d", of, seen[of])
	}
	pair := s.Of([]uint32{9, 3, 9})
	if pair != s.Of([]uint32{3, 9, 3, 3}) || !slices.Equal(s.Events(pair), []uint32{3, 9}) {
		t.Errorf("set %d has %v, and %d %v", pair, s.Events(pair), s.Of([]uint32{3, 9, 3, 3}), s.Events(s.Of([]uint32{3, 9, 3, 3})))
	}
	if other := s.Of([]uint32{3, 8}); other == pair || s.Of(nil) != 0 || len(s.items) != 36 {
		t.Errorf("%d sets, %d and %d", len(s.items), pair, other)
	}
}

// graph makes a fair graph of the edges of each state.
func graph(states ...[]Edge) *Graph {
	g := New(true)
	for _, edges := range states {
		for _, e := range edges {
			g.Edge(e)
		}
		g.Close(nil, 0)
	}
	return g
}

// Rounds of graphs that are written down: the entry and the ordinals of the edges, without a step too many.
func TestKnownRounds(t *testing.T) {
	for name, c := range map[string]struct {
		g     *Graph
		round *Round
	}{
		"one step, once":                {graph([]Edge{{To: 0, Event: 1}}), &Round{0, []uint32{0}}},
		"the environment closes it":     {graph([]Edge{{To: 1, Event: 1}}, []Edge{{To: 0, Flags: Environment}}), &Round{0, []uint32{0, 0}}},
		"an event is left out":          {graph([]Edge{{To: 0, Event: 1}, {To: 1, Event: 2}}, []Edge{}), nil},
		"what is none's is owed nobody": {graph([]Edge{{To: 0, Event: 1}, {To: 1}}, []Edge{}), &Round{0, []uint32{0}}},
		"no way back":                   {graph([]Edge{{To: 1, Event: 1}}, []Edge{}), nil},
	} {
		switch r, found := c.g.FairRound(make([]bool, len(c.g.ends))); {
		case found != (c.round != nil):
			t.Errorf("%s: a round is found: %v", name, found)
		case found && (r.Entry != c.round.Entry || !slices.Equal(r.Edges, c.round.Edges)):
			t.Errorf("%s: %+v; want %+v", name, r, *c.round)
		}
	}
	ends := graph([]Edge{{To: 1}}, []Edge{{To: 0, Event: 1}}, nil).Ends(make([]bool, 3))
	if !slices.Equal(ends, []uint32{0, 2}) {
		t.Errorf("a run may end in %v", ends)
	}
}

// Components come in the order of their least nodes, and one that was left is no way back for what comes later.
func TestKnownComponents(t *testing.T) {
	for name, c := range map[string]struct {
		edges [][]uint32
		want  [][]uint32
	}{
		"an edge into one that was left": {[][]uint32{{1, 3}, {2}, {1}, {2, 3}}, [][]uint32{{1, 2}, {3}}},
		"the later one first":            {[][]uint32{{3, 1}, {1, 2}, {}, {3}}, [][]uint32{{1}, {3}}},
		"one in all":                     {[][]uint32{{1}, {2}, {0, 2}}, [][]uint32{{0, 1, 2}}},
		"of two rounds":                  {[][]uint32{{1}, {0, 2}, {3}, {2}}, [][]uint32{{0, 1}, {2, 3}}},
	} {
		got := stronglyConnected(make([]bool, len(c.edges)), func(s uint32) []uint32 { return c.edges[s] }, &Beat{})
		if !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v; want %v", name, got, c.want)
		}
	}
}

// A step is a choice of the adversary, or of chance, and another: the turn between them is no state.
func TestInnerTurns(t *testing.T) {
	sets := newSets()
	p := NewProcess(&sets)
	p.State(false, []uint32{5}) // 0 owes 5
	p.Move(Move{From: 0, To: 1, Inner: true, Chance: true})
	p.Move(Move{From: 1, To: 0, Step: Step{Event: 1, Passes: true}})
	p.Move(Move{From: 1, To: 1, Step: Step{Event: 1}})
	p.Close()
	p.State(false, nil)
	p.Move(Move{From: 0, To: 0, Step: Step{Event: 2}})
	p.Move(Move{From: 0, To: 1, Inner: true})
	p.Move(Move{From: 1, To: 1, Step: Step{Event: 3, Passes: true}})
	p.Close()
	g := p.Game()
	if !slices.Equal(g.states, []uint32{0, 1, 0, 1}) || !slices.Equal(g.chance, []bool{false, false, true, false}) {
		t.Fatalf("turns %v, chance %v", g.states, g.chance)
	}
	for turn, want := range [][]uint32{{2}, {0, 3}, {0, 1}, {1}} {
		if got := g.successors(uint32(turn)); !slices.Equal(got, want) {
			t.Errorf("from turn %d to %v; want %v", turn, got, want)
		}
	}
	if want := []int32{-1, 0, -1, 0, 1, 1}; !slices.Equal(g.ordinals, want) {
		t.Errorf("which successors: %v; want %v", g.ordinals, want)
	}
	if n := g.Tossed([]uint32{0, 2, 3}); n != 1 {
		t.Errorf("%d turns of chance", n)
	}
	// The adversary may stay in state 1 by its inner turn, or in both: the round is of successors alone.
	place, stays := g.Stay([]bool{false, false})
	if !stays || !slices.Equal(place, []uint32{0, 1, 2, 3}) {
		t.Fatalf("it stays in %v: %v", place, stays)
	}
	if r := g.Round(place); slices.ContainsFunc(r.Edges, func(e uint32) bool { return e > 1 }) {
		t.Errorf("the round %+v takes edges that no state has", r)
	}
	if place, stays := g.Stay([]bool{true, false}); !stays || !slices.Equal(place, []uint32{1, 3}) {
		t.Errorf("outside of state 0 it stays in %v: %v", place, stays)
	}
	if _, stays := g.Stay([]bool{false, true}); stays {
		t.Error("it stays in state 0, from which chance leads away")
	}
}

// An event that is owed in a state is owed at the turns within it.
func TestInnerTurnsOwe(t *testing.T) {
	sets := newSets()
	for _, taken := range []uint32{1, 5} {
		p := NewProcess(&sets)
		p.State(false, []uint32{5})
		p.Move(Move{From: 0, To: 1, Inner: true})
		p.Move(Move{From: 1, To: 0, Step: Step{Event: taken, Passes: true}})
		p.Close()
		if _, stays := p.Game().Stay([]bool{false}); stays != (taken == 5) {
			t.Errorf("it stays: %v, where event %d is taken and 5 is owed", stays, taken)
		}
	}
}

// A round serves what is owed, though at the turns within a state nothing is noted of it.
func TestRoundServesBehindTurns(t *testing.T) {
	sets := newSets()
	p := NewProcess(&sets)
	p.State(false, []uint32{5})
	p.Move(Move{From: 0, To: 1, Inner: true})
	p.Move(Move{From: 0, To: 2, Inner: true})
	p.Move(Move{From: 1, To: 0, Step: Step{Event: 1, Passes: true}})
	p.Move(Move{From: 2, To: 0, Step: Step{Event: 5}})
	p.Close()
	g := p.Game()
	place, stays := g.Stay([]bool{false})
	if !stays || !slices.Equal(place, []uint32{0, 1, 2}) {
		t.Fatalf("it stays in %v: %v", place, stays)
	}
	if r := g.Round(place); !slices.Equal(r.Edges, []uint32{0, 1}) {
		t.Errorf("the round is %+v", r)
	}
}

// Time stands still where no way leads to the goal or to a step that takes time.
func TestStandsStill(t *testing.T) {
	up := [][]uint32{{1}, {2}, {2}}
	for name, c := range map[string]struct {
		to     [][]uint32 // from each state
		passes []bool     // the second step from each, or the only one
		goal   []bool
		still  bool
	}{
		"never":         {up, []bool{false, false, false}, []bool{false, false, false}, true},
		"in the end":    {up, []bool{false, false, true}, []bool{false, false, false}, false},
		"only at first": {up, []bool{true, false, false}, []bool{false, false, false}, true},
		"the goal":      {up, []bool{false, false, false}, []bool{false, false, true}, false},
		"behind it":     {up, []bool{false, false, false}, []bool{true, false, false}, true},
		"down":          {[][]uint32{{0}, {0}, {1}}, []bool{true, false, false}, []bool{false, false, false}, false},
		"up and down":   {[][]uint32{{3}, {1}, {1}, {1}}, []bool{false, true, false, false}, make([]bool, 4), false},
		"not the last":  {[][]uint32{{0, 0, 1}, {1}}, []bool{true, false}, []bool{false, false}, true},
		"the first":     {[][]uint32{{0, 0, 1}, {0, 0}}, []bool{true, false}, []bool{false, false}, false},
		"the second":    {[][]uint32{{0, 1}, {1}, {2, 0}}, []bool{false, true, false}, []bool{false, false, false}, false},
	} {
		sets := newSets()
		p := NewProcess(&sets)
		for s, to := range c.to {
			p.State(false, nil)
			for i, next := range to {
				p.Move(Move{To: next, Step: Step{Event: 1, Passes: c.passes[s] && i == min(1, len(to)-1)}})
			}
			p.Close()
		}
		if still := p.Game().StandsStill(c.goal); still != c.still {
			t.Errorf("%s: it stands still: %v", name, still)
		}
	}
}
