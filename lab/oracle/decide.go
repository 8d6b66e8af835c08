package oracle

import (
	"fmt"
	"slices"

	"contend/model"
)

// A Verdict is what brute force says of a claim.
type Verdict string

// What can be said. Open: the definitions do not say, or not within the cuts, and no
// verdict but "inconclusive" is right. Either: they may be read both ways, or brute
// force cannot tell, and every verdict is let pass. NotHeld: the same, but that the claim does not
// hold is sure, so that it is violated or open.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
	Open     Verdict = "open"
	Either   Verdict = "either"
	NotHeld  Verdict = "not held"
)

// Decide judges a claim of the graph by its definition. Claims of probability are judged
// by [Surely]. Where a handler fails it is not known what would come then, so that no claim
// holds for sure but that of a witness.
func (g *Graph) Decide(c model.Claim) Verdict {
	v := g.decide(c)
	if g.Failed {
		return unfailed(c, v)
	}
	return v
}

// unfailed is what is left of a verdict where a handler fails.
func unfailed(c model.Claim, v Verdict) Verdict {
	switch {
	case c.Kind == model.Sometimes && v == Violated, c.Kind != model.Sometimes && v == Holds:
		return Open
	case v == Either:
		return NotHeld
	}
	return v
}

// Fails judges whether no handler fails, a claim that every protocol makes.
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

// goal reports whether a claim's goal is reached in a state.
func (s State) goal(c model.Claim) bool {
	if c.Done {
		return s.Done
	}
	return s.Goals[c.Name]
}

// cut reports whether a cut keeps some step from happening.
func (s State) cut() bool { return len(s.Cuts) > 0 }

// any reports whether some state is such.
func (g *Graph) any(such func(s State) bool) bool { return slices.ContainsFunc(g.States, such) }

// stopped reports whether a run that has come to a state may have come to its end: nothing
// has to happen. Untimed nothing has to happen but what fairness covers.
func (g *Graph) stopped(s State) bool {
	if g.Clock == None {
		return len(s.Owed) == 0
	}
	return !s.Pending
}

// always: no run to any state breaks the claim; for a claim of progress no state is such
// that nothing of the system can happen any more though some script is not done. What a
// cut keeps from happening is pending, and so can happen.
func (g *Graph) always(c model.Claim) Verdict {
	bad := func(s State) bool { return s.Broken[c.Name] }
	if c.Done {
		bad = func(s State) bool { return !s.Done && !s.Moves }
	}
	if g.any(bad) || g.Broken[c.Name] {
		return Violated
	}
	return Holds
}

// sometimes: some state reaches the goal.
func (g *Graph) sometimes(c model.Claim) Verdict {
	switch {
	case g.any(func(s State) bool { return s.goal(c) }):
		return Holds
	case g.any(State.cut):
		return Open
	}
	return Violated
}

// possible: from every state a goal state can be reached without the environment's help.
// Where none can, but what a cut keeps from happening, more cannot be said; what it keeps the
// environment from is no help either. A message that may come once more is no help of the
// environment's: it is pending.
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
			stops = true // no run goes on from here, so that it may be no run's state
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

// Reaches marks the states from which a claim's goal can be reached without the environment's help.
func (g *Graph) Reaches(c model.Claim) []bool {
	return g.backward(func(e Edge) bool { return !e.Aided() }, g.where(func(s State) bool { return s.goal(c) }))
}

// where marks the states that are such.
func (g *Graph) where(such func(State) bool) []bool {
	set := make([]bool, len(g.States))
	for i, s := range g.States {
		set[i] = such(s)
	}
	return set
}

// backward marks the states from which one of a set can be reached over such edges.
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

// counting marks the states of runs: from which one goes on for ever, or to an end, or
// to a cut. Where windows contradict one another there may be others, at which time can
// only stop.
func (g *Graph) counting() []bool {
	ends := g.where(func(s State) bool { return s.cut() || g.stopped(s) })
	for _, c := range g.components(g.where(func(State) bool { return true })) {
		for i := range c {
			ends[i] = ends[i] || g.passes(c)
		}
	}
	return g.backward(func(Edge) bool { return true }, ends)
}
