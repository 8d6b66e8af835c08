// Package graph holds the state graph for claims that no single run can refute, and computes runs that show the
// counterexamples of package liveness.
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

// A Graph builds the [liveness] graph while states are found and expanded. States are numbered in the order of
// discovery, and expanded in this order.
type Graph struct {
	Edges    *liveness.Graph
	Process  *liveness.Process // nil unless coins are tossed
	Possible []Goals
	Fairly   []Goals // of Eventually claims
	Surely   []Goals
	expanded uint32                   // number of expanded states
	Keys     []fingerprint.Print      // by state
	parents  []uint32                 // by state; meaningless for initial states
	reach    map[int][]liveness.Reach // by claim and state; computed on demand
}

// A Goals is the goal of a claim, with whether each state reaches it, by number.
type Goals struct {
	invariants.Goal
	Reached []bool
}

// New returns the graph that the claims need; nil if no claim needs a graph. In dense time, no such claim is
// decided.
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

// All returns the goals of all claims that need the graph.
func (g *Graph) All() []Goals { return slices.Concat(g.Possible, g.Fairly, g.Surely) }

// Fair reports whether edges record which events a step takes and creates anew.
func (g *Graph) Fair() bool { return g != nil && len(g.Fairly)+len(g.Surely) > 0 }

// AddEdge records an edge to a successor, or an initial state if rooted is set. The note of a state in the table is
// its number plus 1; AddEdge sets the note of a fresh state.
func (g *Graph) AddEdge(note *uint32, l *visited.Lookup, w *step.Worker, rooted bool) {
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

// LeaveRest closes the states that were met and not expanded when a search stops. Their successors count as
// withheld by a cut. So only claims that no unknown successor could save are refuted.
func (g *Graph) LeaveRest() {
	for ; int(g.expanded) < len(g.Keys); g.expanded++ {
		g.Edges.Close([]uint32{^uint32(0)}, 0)
	}
}

// Parent returns the key of a state's parent.
func (g *Graph) Parent(n uint32) []fingerprint.Print {
	return []fingerprint.Print{g.Keys[g.parents[n]]}
}

// State records the goals of a new state. It must be called in the order of the numbers.
func (g *Graph) State(asked *invariants.Asker, v []uint32) {
	if g.Process != nil {
		g.Process.State(asked.Undecided(v) >= 0, asked.Obligations(v))
	}
	for _, list := range [][]Goals{g.Possible, g.Fairly, g.Surely} {
		for i := range list {
			list[i].Reached = append(list[i].Reached, asked.In(list[i].Goal, v))
		}
	}
}

// Close ends the edges of the expanded state, and its positions of the game. In a state where time is locked,
// an event that must happen cannot happen, as if a cut withheld it.
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
	g.Edges.Close(w.Withheld, w.WithheldFlags)
}
