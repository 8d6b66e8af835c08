package search

import "slices"

// decideEventually looks for a fair run that never reaches the goal: one that ends
// short of it, or one that goes round in a strongly connected component of states
// short of it. Fairness is weak: an event that stays enabled is taken. It does not
// cover the environment's moves. In a timed reading only runs that end are looked
// for, since a round need not let time pass; other rounds leave the claim
// undecided. A component in which some event is enabled
// everywhere and taken nowhere holds no fair run, and neither does any part of it.
func (g *graph) decideEventually(x *explorer, l liveness) {
	for s := range g.ends {
		if l.reached[s] {
			continue
		}
		if g.cut[s] {
			x.res.Undecided[l.claim] = "cut"
		} else if len(g.enabled(uint32(s))) == 0 {
			x.confirm(candidate{claim: l.claim, text: "nothing more can happen, and the goal is not reached", key: g.keys[s]})
			delete(x.res.Undecided, l.claim)
			return
		}
	}
	for _, c := range g.components(l.reached) {
		if !g.fair(c) {
			continue
		}
		if x.timed { // the round may take no time at all, and then it is no run
			x.res.Undecided[l.claim] = "timed lasso"
			return
		}
		delete(x.res.Undecided, l.claim)
		x.confirmLasso(l.claim, g, c)
		return
	}
}

// enabled lists the events that a state's edges take, sorted.
func (g *graph) enabled(s uint32) []uint32 {
	var out []uint32
	for _, label := range g.labels[g.begin(s):g.ends[s]] {
		if label != adversary && label != restarted {
			out = append(out, label)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fair reports whether a component has a fair run through all of it.
func (g *graph) fair(component []uint32) bool {
	always := g.enabled(component[0])
	taken := map[uint32]bool{}
	for _, s := range component {
		here := g.enabled(s)
		always = slices.DeleteFunc(always, func(l uint32) bool { _, ok := slices.BinarySearch(here, l); return !ok })
		for k, t := range g.successors(s) {
			if _, in := slices.BinarySearch(component, t); in {
				taken[g.labels[g.begin(s)+k]] = true
			}
		}
	}
	return !slices.ContainsFunc(always, func(l uint32) bool { return !taken[l] })
}

// components returns the strongly connected components with a cycle among the
// states outside a set, each sorted, by Tarjan's algorithm with a stack of its own.
func (g *graph) components(outside []bool) [][]uint32 { return strongly(outside, g.successors) }

// strongly is the same of any graph whose nodes are numbered.
func strongly(outside []bool, successors func(uint32) []uint32) [][]uint32 {
	n := len(outside)
	t := tarjan{successors: successors, outside: outside, index: make([]uint32, n), low: make([]uint32, n), on: make([]bool, n)}
	for s := range outside {
		if !outside[s] && t.index[s] == 0 {
			t.visit(uint32(s))
		}
	}
	slices.SortFunc(t.found, func(a, b []uint32) int { return int(a[0]) - int(b[0]) })
	return t.found
}

type tarjan struct {
	successors func(uint32) []uint32

	outside []bool
	index   []uint32 // order of the visit, from 1
	low     []uint32
	on      []bool
	count   uint32
	stack   []uint32
	found   [][]uint32
}

type visit struct {
	state uint32
	next  int
}

func (t *tarjan) enter(s uint32) visit {
	t.count++
	t.index[s], t.low[s], t.on[s] = t.count, t.count, true
	t.stack = append(t.stack, s)
	return visit{s, 0}
}

func (t *tarjan) visit(s uint32) {
	path := []visit{t.enter(s)}
	for len(path) > 0 {
		top := &path[len(path)-1]
		next := t.successors(top.state)
		if top.next == len(next) {
			t.leave(top.state)
			if path = path[:len(path)-1]; len(path) > 0 {
				parent := path[len(path)-1].state
				t.low[parent] = min(t.low[parent], t.low[top.state])
			}
			continue
		}
		to := next[top.next]
		top.next++
		switch {
		case t.outside[to]:
		case t.index[to] == 0:
			path = append(path, t.enter(to))
		case t.on[to]:
			t.low[top.state] = min(t.low[top.state], t.index[to])
		}
	}
}

// leave closes a component when its first state is left.
func (t *tarjan) leave(s uint32) {
	if t.low[s] != t.index[s] {
		return
	}
	at := len(t.stack) - 1
	for t.stack[at] != s {
		at--
	}
	component := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, c := range component {
		t.on[c] = false
	}
	if len(component) > 1 || slices.Contains(t.successors(s), s) {
		slices.Sort(component)
		t.found = append(t.found, component)
	}
}
