package suite

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// On random graphs with cycles, paths are paths, take exactly the edges that a root reaches, and end where nothing new
// is within reach.
func TestCoverOfRandomGraphs(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + draw.IntN(12)
		g := &graph{out: make([][]int, n), roots: []int{draw.IntN(n)}}
		if n > 1 && draw.IntN(3) == 0 {
			g.roots = append(g.roots, (g.roots[0]+1)%n)
		}
		for range draw.IntN(4 * n) {
			from := draw.IntN(n)
			g.out[from] = append(g.out[from], len(g.to))
			g.to = append(g.to, draw.IntN(n))
		}
		most := 1 + draw.IntN(20)
		met := map[int]bool{}
		for _, p := range cover(g, most) {
			assert.Contains(t, g.roots, p.root)
			at, fresh := p.root, 0
			for _, e := range p.edges {
				assert.Contains(t, g.out[at], e)
				at = g.to[e]
				if !met[e] {
					met[e] = true
					fresh++
				}
			}
			assert.Positive(t, fresh, "each path takes something new")
			if len(p.edges) > most {
				assert.Equal(t, 1, fresh, "only a far edge makes a path longer")
			}
		}
		assert.Len(t, met, reached(g))
	}
}

// reached returns the number of edges that a root reaches.
func reached(g *graph) (n int) {
	met := map[int]bool{}
	var visit func(s int)
	visit = func(s int) {
		if met[s] {
			return
		}
		met[s] = true
		n += len(g.out[s])
		for _, e := range g.out[s] {
			visit(g.to[e])
		}
	}
	for _, root := range g.roots {
		visit(root)
	}
	return n
}
