package measure

import (
	"fmt"
	"slices"

	"contend/checker/measure/chart"
)

// Charts returns the charts of a report: the waits of the first variant, the variants compared for each
// behaviour of faulty servers, and the behaviours compared for the first variant.
func (r *Report) Charts() []*chart.Chart {
	if len(r.Points) == 0 {
		return nil
	}
	first := r.Points[0].Series
	unit := fmt.Sprintf("t·(%s)", r.Study.UnitName)
	out := []*chart.Chart{r.waits(first)}
	for _, faulty := range r.behaviours() {
		with := ", " + faultyName(faulty)
		out = append(out,
			r.compare("mean-"+faulty, "Mean wait per contender"+with, "mean wait / "+unit, faulty, Point.ratioMean),
			r.compare("last-"+faulty, "Time until all have returned, per contender"+with, "time until all returned / "+unit, faulty, Point.ratioLast))
	}
	out = append(out,
		r.compare("p99", "99th percentile of waits, per contender, "+faultyName(first.Faulty), "99th percentile / "+unit, first.Faulty, Point.ratioP99),
		r.compare("first", "Mean wait of the client with the lowest id, per contender, "+faultyName(first.Faulty), "its mean wait / "+unit, first.Faulty, Point.ratioFirst),
		r.compare("tries", "Tries per entry, "+faultyName(first.Faulty), "tries per entry", first.Faulty, func(p Point) Estimate { return p.Tries }),
		r.compare("messages", "Messages per entry, "+faultyName(first.Faulty), "messages per entry", first.Faulty, func(p Point) Estimate { return p.Messages }))
	if len(r.behaviours()) > 1 {
		out = append(out, r.faulty(first, unit))
	}
	return out
}

func faultyName(faulty string) string {
	if faulty == "none" {
		return "no faulty servers"
	}
	return "faulty servers: " + faulty
}

// behaviours returns the measured behaviours, in order.
func (r *Report) behaviours() []string {
	var out []string
	for _, p := range r.Points {
		if !slices.Contains(out, p.Faulty) {
			out = append(out, p.Faulty)
		}
	}
	return out
}

func name(series Series) string {
	if series.Variant == "" {
		return series.Protocol
	}
	return series.Variant
}

// waits returns a chart of one series with logarithmic axes, where a power of t is a straight line.
func (r *Report) waits(series Series) *chart.Chart {
	c := &chart.Chart{
		Name: "waits", Title: fmt.Sprintf("How long %s waits, %s", name(series), faultyName(series.Faulty)),
		X: contenders, Symbol: "t", Y: "time, in ticks (logarithmic)", LogY: true,
	}
	for _, l := range []struct {
		name string
		y    func(Point) Estimate
	}{
		{"mean (amortised)", func(p Point) Estimate { return p.Amortised }}, {"median", func(p Point) Estimate { return p.Median }},
		{"99th percentile", func(p Point) Estimate { return p.P99 }}, {"until all have returned", func(p Point) Estimate { return p.Last }},
		{"largest seen", func(p Point) Estimate { return Estimate{p.Largest, p.Largest, p.Largest} }},
	} {
		c.Lines = append(c.Lines, r.seriesLine(series, l.name, l.y))
	}
	c.Text = describeLines(c)
	return c
}

const contenders = "contenders t (logarithmic)"

// compare returns a chart of all variants with one behaviour.
func (r *Report) compare(id, title, y, faulty string, value func(Point) Estimate) *chart.Chart {
	c := &chart.Chart{Name: id, Title: title, X: contenders, Symbol: "t", Y: y}
	for _, s := range r.all() {
		if s.Faulty == faulty {
			c.Lines = append(c.Lines, r.seriesLine(s, name(s), value))
		}
	}
	c.Text = describeLines(c)
	return c
}

// faulty returns a chart of one variant with all behaviours.
func (r *Report) faulty(series Series, unit string) *chart.Chart {
	c := &chart.Chart{Name: "faulty", Title: "Mean wait of " + name(series) + " per contender", X: contenders, Symbol: "t", Y: "mean wait / " + unit}
	for _, s := range r.all() {
		if s.Variant == series.Variant {
			c.Lines = append(c.Lines, r.seriesLine(s, faultyName(s.Faulty), Point.ratioMean))
		}
	}
	c.Text = describeLines(c)
	return c
}

// all returns the series, in order.
func (r *Report) all() []Series {
	var out []Series
	for _, p := range r.Points {
		if !slices.Contains(out, p.Series) {
			out = append(out, p.Series)
		}
	}
	return out
}

// seriesLine returns a line of the points whose runs all finished. It skips 0, the wait of a single client if
// messages take no time. It cuts intervals at half of the value, since axes may be logarithmic.
func (r *Report) seriesLine(series Series, name string, y func(Point) Estimate) chart.Line {
	l := chart.Line{Name: name}
	for _, p := range r.Points {
		if p.Series == series && p.Unfinished == 0 {
			e := y(p)
			if e.Value <= 0 {
				continue
			}
			l.Points = append(l.Points, chart.Point{X: float64(p.T), Y: e.Value, Low: max(e.Low, e.Value/2), High: e.High})
		}
	}
	return l
}

// describeLines returns the first and the last point of each line as text.
func describeLines(c *chart.Chart) string {
	text := c.Y + " against " + c.X + "."
	for _, l := range c.Lines {
		if n := len(l.Points); n > 0 {
			a, z := l.Points[0], l.Points[n-1]
			text += fmt.Sprintf(" %s: %s at t = %.0f, %s at t = %.0f.", l.Name, Number(a.Y), a.X, Number(z.Y), z.X)
		}
	}
	return text
}
