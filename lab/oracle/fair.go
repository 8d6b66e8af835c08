package oracle

import (
	"slices"

	"contend/model"
)

// eventually decides whether every fair run reaches the goal. A run is fair if no event that stays owed from
// some step on is omitted. Firing, cancellation and resetting end an event's obligation. A finite graph has a
// fair run without the goal in two cases. First, a run may stop in a state without the goal. Second, there is
// a fair strongly connected component of such states: every event that is owed in all of its states leaves by
// some edge. Then a cycle through all of the component is fair. In time, some edge of the component must take
// time; in real time this does not suffice, and the result is undecided.
//
// A lost goal must be reached again.
func (g *Graph) eventually(c model.Claim) Verdict {
	set, verdict := g.where(func(s State) bool { return !s.goal(c) }), Holds
	for i, s := range g.States {
		switch {
		case !set[i]:
		case g.stopped(s):
			return Violated
		case s.cut():
			verdict = Open
		}
	}
	for _, c := range g.components(set) {
		if g.fair(c) && g.passes(c) {
			if g.Clock != Real {
				return Violated
			}
			verdict = Either
		}
	}
	return verdict
}

// A component is a set of states.
type component map[int]bool

// fair reports whether a component has a fair run that visits all its states.
func (g *Graph) fair(c component) bool {
	gone := map[string]bool{}
	for i := range c {
		for _, e := range g.States[i].Edges {
			for _, name := range e.Gone {
				gone[name] = gone[name] || c[e.To]
			}
		}
	}
	return !slices.ContainsFunc(g.everOwed(c), func(name string) bool { return !gone[name] })
}

// everOwed returns the events that are owed in all states of a component.
func (g *Graph) everOwed(c component) []string {
	var names []string
	first := true
	for i := range c {
		owed := g.States[i].Owed
		if first {
			names, first = slices.Clone(owed), false
		}
		names = slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(owed, n) })
	}
	return names
}

// passes reports whether time can pass within a component; untimed always.
func (g *Graph) passes(c component) bool {
	for i := range c {
		if slices.ContainsFunc(g.States[i].Edges, func(e Edge) bool { return c[e.To] && e.Takes }) {
			return true
		}
	}
	return g.Clock == None
}

// components returns the strongly connected components of a set that have a cycle.
func (g *Graph) components(set []bool) []component {
	successors := func(i int) (to []int) {
		for _, e := range g.States[i].Edges {
			if set[e.To] {
				to = append(to, e.To)
			}
		}
		return to
	}
	return strongly(set, successors)
}

// strongly returns the strongly connected components with a cycle within a set. It searches forward and
// backward from each node, in quadratic time.
func strongly(set []bool, successors func(int) []int) []component {
	predecessors := make([][]int, len(set))
	for i := range set {
		if set[i] {
			for _, to := range successors(i) {
				predecessors[to] = append(predecessors[to], i)
			}
		}
	}
	var found []component
	in := make([]bool, len(set))
	for i := range set {
		if !set[i] || in[i] {
			continue
		}
		after, c := walk(i, successors), component{}
		for k := range walk(i, func(k int) []int { return predecessors[k] }) {
			if after[k] {
				c[k], in[k] = true, true
			}
		}
		if len(c) > 0 {
			found = append(found, c)
		}
	}
	return found
}

// walk returns the nodes reachable by at least one step.
func walk(from int, next func(int) []int) component {
	seen := component{}
	for todo := []int{from}; len(todo) > 0; {
		i := todo[0]
		todo = todo[1:]
		for _, k := range next(i) {
			if !seen[k] {
				seen[k] = true
				todo = append(todo, k)
			}
		}
	}
	return seen
}
