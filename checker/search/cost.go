package search

import (
	"cmp"
	"fmt"

	"contend/checker/search/step"
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

// extremes are the least and the most that were found for a cost, each at the first candidate
// by layer, and by key within one; nil where there is none.
type extremes struct{ least, most *reading }

// A reading is a number of a cost, and where it is read.
type reading struct {
	number int
	at     candidate
}

// savedExtremes are extremes as another part of a search is told of them.
type savedExtremes struct{ Least, Most *savedReading }

type savedReading struct {
	Number int
	At     savedCandidate
}

func (r *reading) saved() *savedReading {
	if r == nil {
		return nil
	}
	return &savedReading{r.number, r.at.saved()}
}

func (s *savedReading) reading() *reading {
	if s == nil {
		return nil
	}
	return &reading{s.Number, s.At.candidate()}
}

func (e extremes) saved() savedExtremes { return savedExtremes{e.least.saved(), e.most.saved()} }

func (s savedExtremes) extremes() extremes { return extremes{s.Least.reading(), s.Most.reading()} }

// measures reports whether a claim is Measured.
func (o *Options) measures(claims []model.Claim) bool { return len(newExtremes(claims)) > 0 }

// newExtremes makes room for what claims measure; none where none does.
func newExtremes(claims []model.Claim) []extremes {
	for _, c := range claims {
		if c.Cost != nil {
			return make([]extremes, len(claims))
		}
	}
	return nil
}

// sooner reports whether a reading goes before another of the same number in its layer.
func (r *reading) sooner(than *reading) bool {
	a, b := &r.at, &than.at
	return cmp.Or(cmp.Compare(a.key.A, b.key.A), cmp.Compare(a.key.B, b.key.B)) < 0
}

// take takes in a reading of the present layer. Of equal numbers those of earlier layers stay.
func (e *extremes) take(r *reading, sameLayer bool) {
	if e.least == nil || r.number < e.least.number || sameLayer && r.number == e.least.number && r.sooner(e.least) {
		e.least = r
	}
	if e.most == nil || r.number > e.most.number || sameLayer && r.number == e.most.number && r.sooner(e.most) {
		e.most = r
	}
}

// measured takes in what the meter of a cost reported of the present step.
func (s *searcher) measured(b step.Broken) {
	claim := s.x.claimOf[b.Monitor]
	at := candidate{claim: claim, monitor: b.Monitor, key: s.present, step: true, boot: s.rooted, measured: b.Measured}
	s.costs[claim].take(&reading{int(b.Measured - 1), at}, true)
}

// total takes in the costs of a run that ends in a state.
func (s *searcher) total(v []uint32) {
	for m, claim := range s.x.claimOf {
		if c := s.x.claims[claim].Cost; c != nil && c.AtEnd {
			at := candidate{claim: claim, monitor: m, key: s.present}
			for _, n := range s.asked.Totals(m, v[s.MonitorAt+m]) {
				s.costs[claim].take(&reading{n, at}, true)
				s.witnessed[claim] = true
			}
		}
	}
}

// takeCosts takes from the workers what they measured in a layer.
func (x *explorer) takeCosts() {
	for i := range x.costs {
		var layer extremes
		for _, s := range x.workers {
			layer.takeAll(s.costs[i], true)
			s.costs[i] = extremes{}
		}
		if x.parts != nil {
			for _, of := range x.parts.costs(i) {
				layer.takeAll(of, true)
			}
		}
		x.costs[i].takeAll(layer, false)
	}
}

func (e *extremes) takeAll(of extremes, sameLayer bool) {
	for _, r := range []*reading{of.least, of.most} {
		if r != nil {
			e.take(r, sameLayer)
		}
	}
}

// settleCosts takes a run to the least and to the most of each cost to the interpreter.
func (x *explorer) settleCosts() {
	for i := range x.costs {
		if e := x.costs[i]; e.least != nil && x.res.Disputed[i] == "" {
			x.res.Costs[i] = Extremes{x.shown(e.least), x.shown(e.most)}
		}
	}
}

// shown takes a run to a reading. That the interpreter disagrees costs the cost its result.
func (x *explorer) shown(r *reading) Extreme {
	e := Extreme{Number: r.number}
	claim := r.at.claim
	e.Is = x.try(claim, func() Candidate {
		c := x.retrace(r.at)
		c.Number, e.Steps = r.number, len(c.Steps)
		c.Text = fmt.Sprintf("%s: %d %s", x.claims[claim].Name, r.number, x.claims[claim].Cost.Unit)
		return c
	})
	return e
}
