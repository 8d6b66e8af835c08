package measure

import (
	"fmt"
	"slices"

	"contend/model"
)

// An Assessment compares a statement of a paper with the measurements of a series.
type Assessment struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"` // "statement"
	Series
	Statement string `json:"statement"`
	Text      string `json:"text"`
	Source    string `json:"source"`
	Proof     string `json:"proof"`
	Verdict   string `json:"verdict"` // [Consistent], [Against] or [Open]
	Why       string `json:"why"`
}

// Verdicts of an Assessment. Measurements never prove a statement.
const (
	Consistent = "consistent"
	Against    = "against"
	Open       = "open"
)

// conclude fits laws to each series and assesses the study's statements.
func (r *Report) conclude() {
	for rest := r.Points; len(rest) > 0; {
		series := rest[0].Series
		n := slices.IndexFunc(rest, func(p Point) bool { return p.Series != series })
		if n < 0 {
			n = len(rest)
		}
		points := rest[:n]
		rest = rest[n:]
		mean, okMean := fitted(points, "amortised", func(p Point) Estimate { return p.Amortised })
		last, okLast := fitted(points, "last", func(p Point) Estimate { return p.Last })
		if okMean {
			r.Fits = append(r.Fits, mean, last)
		}
		for _, s := range r.Study.Statements {
			a := Assessment{Schema: 1, Kind: "statement", Series: series, Statement: s.Name, Text: s.Text, Source: s.Source, Proof: s.Proof}
			switch s.About {
			case model.OneRoundTrip:
				a.Verdict, a.Why = assessOneRoundTrip(points)
			case model.LinearMean:
				a.Verdict, a.Why = assessLinear(mean, okMean, points, Point.ratioMean, r.Study.UnitName)
			case model.LinearLast:
				a.Verdict, a.Why = assessLinear(last, okLast, points, Point.ratioLast, r.Study.UnitName)
			}
			r.Assessments = append(r.Assessments, a)
		}
	}
}

// fitted fits laws to one measure of a series, at the points whose runs all finished.
func fitted(points []Point, quantity string, y func(Point) Estimate) (Fit, bool) {
	var ts []float64
	var ys []Estimate
	for _, p := range points {
		if p.T >= fitFrom && p.Unfinished == 0 {
			ts, ys = append(ts, float64(p.T)), append(ys, y(p))
		}
	}
	f, ok := fit(ts, ys)
	f.Schema, f.Kind, f.Series, f.Quantity = 1, "fit", points[0].Series, quantity
	return f, ok
}

// assessOneRoundTrip compares a single contender's wait with one round trip.
func assessOneRoundTrip(points []Point) (verdict, why string) {
	p := points[0]
	switch {
	case p.T != 1:
		return Open, "no single contender was measured"
	case p.Unfinished > 0:
		return Open, fmt.Sprintf("%d of %d runs did not finish", p.Unfinished, p.Runs)
	case p.Largest > p.RoundTrip:
		return Against, fmt.Sprintf("a single contender waited %.3g ticks, but a round trip is at most %.3g", p.Largest, p.RoundTrip)
	case p.MostTries > 1:
		return Against, fmt.Sprintf("a single contender tried %.3g times", p.MostTries)
	}
	return Consistent, fmt.Sprintf("in all %d runs a single contender tried once and waited at most %.3g ticks; a round trip is at most %.3g", p.Runs, p.Largest, p.RoundTrip)
}

// Ratios are times in units of t times the study's unit. They are constant if growth is linear without an
// offset.
func (p Point) ratioMean() Estimate  { return p.Amortised.divide(float64(p.T) * p.Unit) }
func (p Point) ratioLast() Estimate  { return p.Last.divide(float64(p.T) * p.Unit) }
func (p Point) ratioFirst() Estimate { return p.First.divide(float64(p.T) * p.Unit) }
func (p Point) ratioP99() Estimate   { return p.P99.divide(float64(p.T) * p.Unit) }

func (e Estimate) divide(unit float64) Estimate {
	return Estimate{e.Value / unit, e.Low / unit, e.High / unit}
}

// assessLinear compares growth with a line. Two observations contradict a line. One is an exponent above 1
// over all t, unless a line with an offset fits best. The other is an exponent between the last two points
// above the best line's exponent there. With only one of the two the verdict is [Open]: growth may still
// approach a line, or begin to leave it.
func assessLinear(f Fit, ok bool, points []Point, ratio func(Point) Estimate, unit string) (verdict, why string) {
	for _, p := range points {
		if p.Unfinished > 0 {
			return Open, fmt.Sprintf("%d of %d runs with t = %d did not finish", p.Unfinished, p.Runs, p.T)
		}
	}
	if !ok {
		return Open, fmt.Sprintf("it takes three numbers of contenders from %d on to fit a law", fitFrom)
	}
	r := ratio(points[len(points)-1])
	why = fmt.Sprintf("as a power of t the exponent is %s over t = %d … %d, and %s from %d to %d; at t = %d it is %.2f [%.2f, %.2f] × t·(%s)",
		f.Power.P.digits(), f.From, f.To, f.Tail.digits(), f.Before, f.To, f.To, r.Value, r.Low, r.High, unit)
	bound := 1.0
	if f.Best == "linear" {
		bound = max(bound, f.Linear.tail(float64(f.Before), float64(f.To))+1e-9)
	}
	steep, rising := f.Power.P.Low > 1 && f.Best != "linear", f.Tail.Low > bound
	switch {
	case steep && rising:
		return Against, why
	case steep || rising:
		return Open, why
	}
	return Consistent, why
}

func (e Estimate) digits() string { return fmt.Sprintf("%.2f [%.2f, %.2f]", e.Value, e.Low, e.High) }
