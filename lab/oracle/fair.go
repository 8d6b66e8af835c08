package oracle

import (
	"slices"

	"contend/model"
)

// eventually: every fair run reaches the goal. A run is fair when no event that stays
// owed from some moment on is left out; whatever takes an event away, its firing, its
// cancellation, its being set anew, ends its claim. A finite state space has a fair run
// short of the goal exactly when a state short of it is one where a run may stop, or a
// strongly connected component of such states has one: then a round through all of the
// component is fair, unless some event is owed in all of its states and goes on none of
// its edges, and so is left out by every run that stays there. In time a run goes on
// without end, so some edge has to take time; in real time that is not enough for it,
// and so not decided.
//
// A goal that is lost has to be reached again.
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

// fair reports whether a component has a fair run through all of it.
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

// everOwed are the events that are owed in all of a component.
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

// passes reports whether time can go on within a component; untimed it always does.
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

// strongly returns the strongly connected components with a cycle among the nodes of a
// set: those that reach one another. It walks forward and backward from each, in
// quadratic time.
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

// walk returns what is reached from a node by one step or more.
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
