package oracle

import (
	"contend/model"
	"contend/model/world"
)

// A Range is the least and the most of a cost.
type Range struct{ Least, Most int }

// measure adds the costs that a run measures in its last state.
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

// Measure returns the range of a cost. None reports whether no run has a number. Failed reports whether a
// handler fails, so that the range may be incomplete. Its errors are the same as for [Judge].
func Measure(s *model.System, c *model.Cost, r model.Reading, limit int) (of Range, none, failed bool, err error) {
	j := judge{sys: s, reading: r, limit: limit, claims: []model.Claim{c.Claim()}}
	if err := j.explore(); err != nil {
		return Range{}, false, false, err
	}
	of, any := j.exact().Costs[c.Name]
	return of, !any, j.exact().Failed, nil
}
