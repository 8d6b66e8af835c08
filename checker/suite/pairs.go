package suite

import "fmt"

// mostPairs is the largest number of pairs of adjacent transitions.
const mostPairs = 5_000_000

// pairs returns the graph whose states are the roots and edges of g, and whose edges are the pairs of adjacent edges.
// The first edge of a path makes a pair with its root, so that paths of one edge are covered too.
func (g *graph) pairs() (*graph, error) {
	n := 0
	for _, root := range g.roots {
		n += len(g.out[root])
	}
	for _, s := range g.to {
		n += len(g.out[s])
	}
	if n > mostPairs {
		return nil, fmt.Errorf("cover: the state space has %d pairs of adjacent transitions, but at most %d are possible", n, mostPairs)
	}
	l := &graph{out: make([][]int, len(g.to)+len(g.roots)), to: make([]int, 0, n)}
	add := func(from int, edges []int) {
		for _, e := range edges {
			l.out[from] = append(l.out[from], len(l.to))
			l.to = append(l.to, e)
		}
	}
	for e, s := range g.to {
		add(e, g.out[s])
	}
	for i, root := range g.roots {
		l.roots = append(l.roots, len(g.to)+i)
		add(len(g.to)+i, g.out[root])
	}
	return l, nil
}

// transitions returns the path of g that a path of its pairs stands for.
func (g *graph) transitions(pairs *graph, p path) path {
	t := path{root: g.roots[p.root-len(g.to)]}
	for _, pair := range p.edges {
		t.edges = append(t.edges, pairs.to[pair])
	}
	return t
}

// key returns a text that determines the path.
func (p path) key() string { return fmt.Sprint(p.root, p.edges) }
