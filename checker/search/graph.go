package search

import (
	"slices"

	"contend/checker/search/liveness"
	"contend/checker/search/visited"
	"contend/model"
)

// graph feeds [liveness] while states are found and expanded, for claims that no single
// run can refute. States are numbered as they are found and expanded in that order.
type graph struct {
	edges    *liveness.Graph
	process  *liveness.Process // where coins are tossed
	possible []goals
	fairly   []goals // of claims under fairness
	surely   []goals
	expanded uint32   // states so far
	keys     []print  // of the states, by number
	parents  []uint32 // of the states; ^0 for a first one
}

// goals are those of a claim in each state.
type goals struct {
	goal
	reached []bool
}

// newGraph returns the graph that claims need, or nil. In dense time, where none of them
// is decided, they need none.
func newGraph(claims []model.Claim, dense bool) *graph {
	g := &graph{}
	for _, goal := range goalsOf(claims) {
		l := goals{goal: goal}
		switch claims[goal.claim].Kind {
		case model.PossibleFromEverywhere:
			g.possible = append(g.possible, l)
		case model.Eventually:
			g.fairly = append(g.fairly, l)
		case model.AlmostSurely:
			g.surely = append(g.surely, l)
		}
	}
	if dense || len(g.all()) == 0 {
		return nil
	}
	g.edges = liveness.New(len(g.fairly) > 0)
	if len(g.surely) > 0 {
		g.process = liveness.NewProcess(&g.edges.Sets)
	}
	return g
}

// all are the claims that the graph is kept for.
func (g *graph) all() []goals { return slices.Concat(g.possible, g.fairly, g.surely) }

// fair reports whether it matters which events a step takes and makes anew.
func (g *graph) fair() bool { return g != nil && len(g.fairly)+len(g.surely) > 0 }

// met takes note of a successor, or a first state, by the number that its note in the
// table holds, less one.
func (g *graph) met(note *uint32, l *visited.Lookup, s *searcher) {
	if l.Fresh {
		g.keys = append(g.keys, l.Print)
		parent := ^uint32(0)
		if !s.rooted {
			parent = g.expanded
		}
		g.parents = append(g.parents, parent)
		*note = uint32(len(g.keys))
	}
	if s.rooted {
		return
	}
	e := s.edge()
	e.To = *note - 1
	g.edges.Edge(e)
	if g.process != nil {
		g.process.Move(liveness.Move{From: s.turns.at, To: e.To, Step: liveness.Step{Event: e.Event, Renewed: e.Renewed, Passes: s.move.delay > 0}})
	}
}

// parent returns the key of a state's parent.
func (g *graph) parent(n uint32) []print { return []print{g.keys[g.parents[n]]} }

// state notes the goals of a new state.
func (g *graph) state(s *searcher, v []uint32) {
	if g.process != nil {
		g.process.State(s.undecided(v) >= 0, s.owed(v))
	}
	for _, list := range [][]goals{g.possible, g.fairly, g.surely} {
		for i := range list {
			list[i].reached = append(list[i].reached, list[i].in(s, v))
		}
	}
}

// close ends the edges of the state that was expanded, and what the process knows of its
// turns. Where time is locked something is owed that cannot happen, as behind a cut.
func (g *graph) close(s *searcher, locked bool) {
	if g.process != nil {
		for i, t := range s.turns.all[1:] {
			g.process.Move(liveness.Move{From: t.from, To: uint32(i + 1), Inner: true, Chance: t.chance, Step: t.step})
		}
		g.process.Close()
	}
	if locked {
		s.withheld = append(s.withheld, ^uint32(0))
	}
	g.expanded++
	g.edges.Close(s.withheld, s.kept)
}
