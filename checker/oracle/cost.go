package oracle

import "contend/model/world"

// A Range is the least and the most that a cost comes to.
type Range struct{ Least, Most int }

// measure takes in what the meters of costs say of a run that has just come to a state.
func (g *Graph) measure(w *world.World) {
	for _, m := range w.Measured {
		if m.Step == w.Steps {
			g.comesTo(m.Claim, m.Number)
		}
	}
	for _, c := range g.Claims {
		if c.Cost != nil && c.Cost.AtEnd && w.Ended() {
			for _, n := range w.Totals(c) {
				g.comesTo(c.Name, n)
			}
		}
	}
}

func (g *Graph) comesTo(claim string, n int) {
	r, known := g.Costs[claim]
	if !known {
		r = Range{n, n}
	}
	g.Costs[claim] = Range{min(r.Least, n), max(r.Most, n)}
}
