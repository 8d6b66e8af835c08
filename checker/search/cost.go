package search

import (
	"fmt"

	"contend/checker/search/step"
	"contend/checker/search/suspect"
	"contend/model"
)

// Extremes are the least and the greatest value of a cost in the states that were met.
type Extremes struct{ Least, Most Extreme }

// An Extreme is a value of a cost, with a run that has it.
type Extreme struct {
	Number int
	// Is is the interpreter's answer to the run. A value that is not Real may exist only because the grid closes
	// strict bounds.
	Is    Confirmation
	Steps int
}

// measures reports whether some claim is Measured.
func (o *Options) measures(claims []model.Claim) bool { return len(newExtremes(claims)) > 0 }

// newExtremes returns extremes for the claims; nil if no claim has a cost.
func newExtremes(claims []model.Claim) []suspect.Extremes {
	for _, c := range claims {
		if c.Cost != nil {
			return make([]suspect.Extremes, len(claims))
		}
	}
	return nil
}

// measured records the value that a meter reported in the present step.
func (s *searcher) measured(b step.Broken) {
	claim := s.x.claimOf[b.Monitor]
	at := suspect.Suspect{Claim: claim, Monitor: b.Monitor, Key: s.present, Step: true, Boot: s.rooted, Measured: b.Measured}
	s.costs[claim].Take(&suspect.Reading{Number: int(b.Measured - 1), At: at}, true)
}

// total records the costs of a run that ends in a state.
func (s *searcher) total(v []uint32) {
	for m, claim := range s.x.claimOf {
		if c := s.x.claims[claim].Cost; c != nil && c.AtEnd {
			at := suspect.Suspect{Claim: claim, Monitor: m, Key: s.present}
			for _, n := range s.asked.Totals(m, v[s.MonitorAt+m]) {
				s.costs[claim].Take(&suspect.Reading{Number: n, At: at}, true)
				s.witnessed[claim] = true
			}
		}
	}
}

// takeCosts collects the workers' values of a layer.
func (x *explorer) takeCosts() {
	for i := range x.costs {
		var layer suspect.Extremes
		for _, s := range x.workers {
			layer.TakeAll(s.costs[i], true) // with those of earlier layers, which stay anyway
		}
		x.costs[i].TakeAll(layer, false)
	}
}

// settleCosts passes a run with the least and one with the greatest value of each cost to the interpreter.
func (x *explorer) settleCosts() {
	for i := range x.costs {
		if e := x.costs[i]; e.Least != nil {
			x.res.Claims[i].Cost = &Extremes{x.shown(e.Least), x.shown(e.Most)}
		}
	}
}

// shown passes a run with a value to the interpreter. If the two disagree, the cost has no result.
func (x *explorer) shown(r *suspect.Reading) Extreme {
	e := Extreme{Number: r.Number}
	claim := r.At.Claim
	e.Is = x.try(claim, func() Candidate {
		c := x.retrace(r.At)
		c.Number, e.Steps = r.Number, len(c.Steps)
		c.Text = fmt.Sprintf("%s: %d %s", x.claims[claim].Name, r.Number, x.claims[claim].Cost.Unit)
		return c
	})
	return e
}
