package suite

import (
	"math/rand/v2"

	"contend/checker/search/statespace"
)

// A graph is a directed graph with roots. The edges of a state are those of its list, in a fixed order.
type graph struct {
	roots []int
	out   [][]int // edges, by state
	to    []int   // states, by edge
}

// A path is a path of a graph: edges from a root.
type path struct {
	root  int
	edges []int
}

// graphOf returns the graph of a state space.
func graphOf(space *statespace.Space) *graph {
	g := &graph{out: make([][]int, len(space.States)), to: make([]int, len(space.Edges))}
	for i, s := range space.States {
		if s.From < 0 {
			g.roots = append(g.roots, i)
		}
	}
	for i, e := range space.Edges {
		g.out[e.From] = append(g.out[e.From], i)
		g.to[i] = e.To
	}
	return g
}

// cover returns paths that together have each edge that a root reaches.
//
// A path takes the nearest edge that no path has, again and again, until it reaches none or has most edges; then the
// next path begins. The nearest edge is found by a breadth-first search. A state that reaches no such edge never will,
// since edges are only taken; so it is left out of later searches, and all searches that fail cost one visit of each
// edge. A search that succeeds ends at the nearest edge, mostly at once. The number of paths is not the least: that
// would be a flow with lower bounds, which costs far more, and a path ends only where nothing new is within reach.
// The order of edges is that of discovery, so the paths are the same every time.
func cover(g *graph, most int) (all []path) {
	c := &coverer{graph: g, taken: make([]bool, len(g.to)), spent: make([]bool, len(g.out)), seen: make([]int, len(g.out)), by: make([]int, len(g.out)), from: make([]int, len(g.out))}
	for _, root := range g.roots {
		for {
			p := path{root: root}
			for at := root; ; at = g.to[p.edges[len(p.edges)-1]] {
				way := c.nearest(at)
				if way == nil || len(p.edges) > 0 && len(p.edges)+len(way) > most {
					break
				}
				for _, e := range way {
					c.taken[e] = true
				}
				p.edges = append(p.edges, way...)
			}
			if len(p.edges) == 0 {
				break
			}
			all = append(all, p)
		}
	}
	return all
}

// A coverer searches for edges that no path has.
type coverer struct {
	*graph
	taken []bool // by edge: a path has it
	spent []bool // by state: it reaches no edge that no path has
	turn  int    // of the search
	seen  []int  // by state: the turn in which it was seen
	by    []int  // by state: the edge by which it was seen
	from  []int  // by state: where that edge begins
}

// nearest returns a shortest way from a state that ends with an edge that no path has; nil if there is none.
func (c *coverer) nearest(at int) []int {
	if c.spent[at] {
		return nil
	}
	c.turn++
	c.seen[at] = c.turn
	queue := []int{at}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		for _, e := range c.out[s] {
			if !c.taken[e] {
				return c.way(at, s, e)
			}
		}
		for _, e := range c.out[s] {
			if next := c.to[e]; !c.spent[next] && c.seen[next] != c.turn {
				c.seen[next], c.by[next], c.from[next] = c.turn, e, s
				queue = append(queue, next)
			}
		}
	}
	for _, s := range queue {
		c.spent[s] = true
	}
	return nil
}

// way returns the edges from a state to another, and one more edge.
func (c *coverer) way(from, to, last int) []int {
	n := 1
	for s := to; s != from; s = c.from[s] {
		n++
	}
	way := make([]int, n)
	way[n-1] = last
	for s := to; s != from; s = c.from[s] {
		n--
		way[n-1] = c.by[s]
	}
	return way
}

// sampled returns random paths. Each ends where no edge goes on, or after most edges. Equal paths occur once.
func sampled(g *graph, n, most int, draw *rand.Rand) (all []path) {
	met := map[string]bool{}
	for range n {
		p := path{root: g.roots[draw.IntN(len(g.roots))]}
		for at := p.root; len(p.edges) < most && len(g.out[at]) > 0; at = g.to[p.edges[len(p.edges)-1]] {
			p.edges = append(p.edges, g.out[at][draw.IntN(len(g.out[at]))])
		}
		if key := p.key(); !met[key] {
			met[key] = true
			all = append(all, p)
		}
	}
	return all
}
