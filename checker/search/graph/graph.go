// Package graph keeps the graph of all states, for claims that no single run can refute, and makes
// of what package liveness finds there the runs that show it.
package graph

import (
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/invariants"
	"contend/checker/search/liveness"
	"contend/checker/search/step"
	"contend/checker/search/visited"
	"contend/model"
)

// A Graph feeds [liveness] while states are found and expanded, for claims that no single
// run can refute. States are numbered as they are found and expanded in that order.
type Graph struct {
	Edges    *liveness.Graph
	Process  *liveness.Process // where coins are tossed
	Possible []Goals
	Fairly   []Goals // of claims under fairness
	Surely   []Goals
	expanded uint32                   // states so far
	Keys     []fingerprint.Print      // of the states, by number
	parents  []uint32                 // of the states, but for the first ones
	reach    map[int][]liveness.Reach // of the states, by claim, once it was asked for
}

// Goals are those of a claim in each state.
type Goals struct {
	invariants.Goal
	Reached []bool
}

// New returns the graph that claims need, or nil. In dense time, where none of them
// is decided, they need none.
func New(claims []model.Claim, dense bool) *Graph {
	g := &Graph{reach: map[int][]liveness.Reach{}}
	for _, goal := range invariants.GoalsOf(claims) {
		l := Goals{Goal: goal}
		switch claims[goal.Claim].Kind {
		case model.PossibleFromEverywhere:
			g.Possible = append(g.Possible, l)
		case model.Eventually:
			g.Fairly = append(g.Fairly, l)
		case model.AlmostSurely:
			g.Surely = append(g.Surely, l)
		}
	}
	if dense || len(g.All()) == 0 {
		return nil
	}
	g.Edges = liveness.New(len(g.Fairly) > 0)
	if len(g.Surely) > 0 {
		g.Process = liveness.NewProcess(&g.Edges.Sets)
	}
	return g
}

// All are the claims that the graph is kept for.
func (g *Graph) All() []Goals { return slices.Concat(g.Possible, g.Fairly, g.Surely) }

// Fair reports whether it matters which events a step takes and makes anew.
func (g *Graph) Fair() bool { return g != nil && len(g.Fairly)+len(g.Surely) > 0 }

// Met takes note of a successor, or a first state, by the number that its note in the
// table holds, less one. Rooted says that it is a first state.
func (g *Graph) Met(note *uint32, l *visited.Lookup, w *step.Worker, rooted bool) {
	if l.Fresh {
		g.Keys = append(g.Keys, l.Print)
		g.parents = append(g.parents, g.expanded)
		*note = uint32(len(g.Keys))
	}
	if rooted {
		return
	}
	e := w.Edge()
	e.To = *note - 1
	g.Edges.Edge(e)
	if g.Process != nil {
		g.Process.Move(liveness.Move{From: w.Turns.At, To: e.To, Step: liveness.Step{Event: e.Event, Renewed: e.Renewed, Passes: w.Move.Delay > 0}})
	}
}

// LeaveRest ends the states that were met and not expanded, when the search stopped: what follows them lies
// behind a cut, as it were. So what refutes a claim all the same refutes it.
func (g *Graph) LeaveRest() {
	for ; int(g.expanded) < len(g.Keys); g.expanded++ {
		g.Edges.Close([]uint32{^uint32(0)}, 0)
	}
}

// Parent returns the key of a state's parent.
func (g *Graph) Parent(n uint32) []fingerprint.Print {
	return []fingerprint.Print{g.Keys[g.parents[n]]}
}

// State notes the goals of a new state.
func (g *Graph) State(asked *invariants.Asker, v []uint32) {
	if g.Process != nil {
		g.Process.State(asked.Undecided(v) >= 0, asked.Owed(v))
	}
	for _, list := range [][]Goals{g.Possible, g.Fairly, g.Surely} {
		for i := range list {
			list[i].Reached = append(list[i].Reached, asked.In(list[i].Goal, v))
		}
	}
}

// Close ends the edges of the state that was expanded, and what the process knows of its
// turns. Where time is locked something is owed that cannot happen, as behind a cut.
func (g *Graph) Close(w *step.Worker, locked bool) {
	if g.Process != nil {
		for i, t := range w.Turns.All[1:] {
			g.Process.Move(liveness.Move{From: t.From, To: uint32(i + 1), Inner: true, Chance: t.Chance, Step: t.Step})
		}
		g.Process.Close()
	}
	if locked {
		w.Withheld = append(w.Withheld, ^uint32(0))
	}
	g.expanded++
	g.Edges.Close(w.Withheld, w.Kept)
}
