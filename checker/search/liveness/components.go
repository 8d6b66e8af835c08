package liveness

import "slices"

// stronglyConnected returns the strongly connected components that have a cycle, among the nodes outside a set.
// Each is sorted; the components are in the order of their least nodes.
//
// It is Tarjan's algorithm (Depth-first search and linear graph algorithms, SIAM J. Comput. 1, 1972) with an
// explicit stack in place of recursion. A node is the root of its component exactly if no edge from its subtree
// leads to an older node on the stack. The time is linear in the number of edges.
func stronglyConnected(outside []bool, successors func(uint32) []uint32, beat *Beat) [][]uint32 {
	n := len(outside)
	t := tarjan{beat: beat, successors: successors, outside: outside, index: make([]uint32, n), low: make([]uint32, n), on: make([]bool, n)}
	for s := range outside {
		if !outside[s] && t.index[s] == 0 {
			t.visit(uint32(s))
		}
	}
	slices.SortFunc(t.found, func(a, b []uint32) int { return int(a[0]) - int(b[0]) })
	return t.found
}

type tarjan struct {
	beat       *Beat
	successors func(uint32) []uint32

	outside []bool
	index   []uint32 // order of the visit, from 1; 0: not visited
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
		t.beat.step()
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

// leave adds the component of a root when the root is left.
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

// within reports whether a node is in a component.
func within(component []uint32, node uint32) bool {
	_, ok := slices.BinarySearch(component, node)
	return ok
}
