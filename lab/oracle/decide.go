package oracle

import (
	"fmt"
	"slices"

	"contend/model"
)

// A Verdict is the verdict of brute force on a claim.
type Verdict string

// Verdicts. Open: undefined, or undefined within the cuts; only "inconclusive" is right. Either: ambiguous,
// or undecided by brute force; every verdict is permitted. NotHeld: as Either, but the claim does not hold,
// so that it is violated or open.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
	Open     Verdict = "open"
	Either   Verdict = "either"
	NotHeld  Verdict = "not held"
)

// Decide decides a claim by its definition. [Surely] decides claims of probability. If a handler fails, the
// runs beyond it are unknown, so that only violations and witnesses are certain.
func (g *Graph) Decide(c model.Claim) Verdict {
	v := g.decide(c)
	if g.Failed {
		return unfailed(c, v)
	}
	return v
}

// unfailed returns the part of a verdict that remains certain if a handler fails.
func unfailed(c model.Claim, v Verdict) Verdict {
	switch {
	case c.Kind == model.Sometimes && v == Violated, c.Kind != model.Sometimes && v == Holds:
		return Open
	case v == Either:
		return NotHeld
	}
	return v
}

// Fails decides the claim that no handler fails.
func (g *Graph) Fails() Verdict {
	if g.Failed {
		return Violated
	}
	return Holds
}

func (g *Graph) decide(c model.Claim) Verdict {
	switch c.Kind {
	case model.Always, model.Linearizable, model.Refines:
		return g.always(c)
	case model.Sometimes:
		return g.sometimes(c)
	case model.PossibleFromEverywhere:
		return g.possible(c)
	case model.Eventually:
		return g.eventually(c)
	}
	panic(fmt.Sprintf("a claim of kind %v is not decided on a graph", c.Kind))
}

// goal reports whether a state reaches a claim's goal.
func (s State) goal(c model.Claim) bool {
	if c.Done {
		return s.Done
	}
	return s.Goals[c.Name]
}

// cut reports whether a cut prevents some step.
func (s State) cut() bool { return len(s.Cuts) > 0 }

// hasState reports whether some state satisfies a predicate.
func (g *Graph) hasState(such func(s State) bool) bool { return slices.ContainsFunc(g.States, such) }

// stopped reports whether a run may end in a state: no event must happen. In untimed runs only fairness
// forces events.
func (g *Graph) stopped(s State) bool {
	if g.Clock == None {
		return len(s.Owed) == 0
	}
	return !s.Pending
}

// always decides whether no run breaks the claim. A claim of progress is broken by a state in which the
// system has no further step though some script is not done. Steps that a cut prevents count as possible.
func (g *Graph) always(c model.Claim) Verdict {
	bad := func(s State) bool { return s.Broken[c.Name] }
	if c.Done {
		bad = func(s State) bool { return !s.Done && !s.Moves }
	}
	if g.hasState(bad) || g.Broken[c.Name] {
		return Violated
	}
	return Holds
}

// sometimes decides whether some state reaches the goal.
func (g *Graph) sometimes(c model.Claim) Verdict {
	switch {
	case g.hasState(func(s State) bool { return s.goal(c) }):
		return Holds
	case g.hasState(State.cut):
		return Open
	}
	return Violated
}

// possible decides whether a goal state is reachable from every state without the environment's help. If only
// a prevented step could lead there, the result is undefined. Prevented steps of the environment do not
// count. A message that may arrive once more is no help of the environment: it is pending.
func (g *Graph) possible(c model.Claim) Verdict {
	over := func(e Edge) bool { return !e.Aided() }
	live := g.Reaches(c)
	beyond := g.backward(over, g.where(func(s State) bool { return slices.ContainsFunc(s.Cuts, over) }))
	counts := g.counting()
	cut, stops := false, false
	for i := range g.States {
		switch {
		case live[i]:
		case beyond[i]:
			cut = true
		case counts[i]:
			return Violated
		default:
			stops = true // no run continues from here, so this may be no run's state
		}
	}
	switch {
	case cut && stops:
		return NotHeld
	case cut:
		return Open
	case stops:
		return Either
	}
	return Holds
}

// Reaches marks the states from which the goal is reachable without the environment's help.
func (g *Graph) Reaches(c model.Claim) []bool {
	return g.backward(func(e Edge) bool { return !e.Aided() }, g.where(func(s State) bool { return s.goal(c) }))
}

// where marks the states that satisfy a predicate.
func (g *Graph) where(such func(State) bool) []bool {
	set := make([]bool, len(g.States))
	for i, s := range g.States {
		set[i] = such(s)
	}
	return set
}

// backward marks the states that reach a set over selected edges.
func (g *Graph) backward(over func(Edge) bool, set []bool) []bool {
	in := slices.Clone(set)
	for changed := true; changed; {
		changed = false
		for i, s := range g.States {
			if !in[i] && slices.ContainsFunc(s.Edges, func(e Edge) bool { return over(e) && in[e.To] }) {
				in[i], changed = true, true
			}
		}
	}
	return in
}

// counting marks the states of runs: those from which a run continues for ever, to an end, or to a cut. With
// contradictory windows there may be others, where time must stop.
func (g *Graph) counting() []bool {
	ends := g.where(func(s State) bool { return s.cut() || g.stopped(s) })
	for _, c := range g.components(g.where(func(State) bool { return true })) {
		for i := range c {
			ends[i] = ends[i] || g.passes(c)
		}
	}
	return g.backward(func(Edge) bool { return true }, ends)
}
