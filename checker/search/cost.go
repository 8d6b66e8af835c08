package search

import (
	"fmt"

	"contend/checker/search/step"
	"contend/checker/search/suspect"
	"contend/model"
)

// Extremes are the least and the most that a cost comes to in the states that were met.
type Extremes struct{ Least, Most Extreme }

// An Extreme is a number with a run that comes to it.
type Extreme struct {
	Number int
	// Is says what the interpreter made of the run. A number that is not Real is one that only
	// the grid's closing of strict bounds may allow.
	Is    Confirmation
	Steps int
}

// measures reports whether a claim is Measured.
func (o *Options) measures(claims []model.Claim) bool { return len(newExtremes(claims)) > 0 }

// newExtremes makes room for what claims measure; none where none does.
func newExtremes(claims []model.Claim) []suspect.Extremes {
	for _, c := range claims {
		if c.Cost != nil {
			return make([]suspect.Extremes, len(claims))
		}
	}
	return nil
}

// measured takes in what the meter of a cost reported of the present step.
func (s *searcher) measured(b step.Broken) {
	claim := s.x.claimOf[b.Monitor]
	at := suspect.Suspect{Claim: claim, Monitor: b.Monitor, Key: s.present, Step: true, Boot: s.rooted, Measured: b.Measured}
	s.costs[claim].Take(&suspect.Reading{Number: int(b.Measured - 1), At: at}, true)
}

// total takes in the costs of a run that ends in a state.
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

// takeCosts takes from the workers what they measured in a layer.
func (x *explorer) takeCosts() {
	for i := range x.costs {
		var layer suspect.Extremes
		for _, s := range x.workers {
			layer.TakeAll(s.costs[i], true) // with those of earlier layers, which stay anyway
		}
		x.costs[i].TakeAll(layer, false)
	}
}

// settleCosts takes a run to the least and to the most of each cost to the interpreter.
func (x *explorer) settleCosts() {
	for i := range x.costs {
		if e := x.costs[i]; e.Least != nil {
			x.res.Claims[i].Cost = &Extremes{x.shown(e.Least), x.shown(e.Most)}
		}
	}
}

// shown takes a run to a reading. That the interpreter disagrees costs the cost its result.
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
