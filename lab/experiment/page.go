package experiment

import (
	_ "embed" // the page's template
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"contend/checker/measure/chart"
)

//go:embed page.html
var pageSource string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"place": Catch.place, "bar": Catch.bar}).Parse(pageSource))

// A Report is what a page says.
type Report struct {
	Options Options
	Catches []Catch
	Reaches []Reach             // of protocols, strategy by strategy; may be empty
	Left    map[string][]string // mutants that are left out, by the reason
	Command string              // writes the page again
}

// Page writes a report as one HTML file that needs nothing else: the chart first, how it was measured last.
func (r *Report) Page(w io.Writer) error {
	ratio, ratios := Ratio(r.Catches, "portfolio")
	return page.Execute(w, map[string]any{
		"Report": r, "Chart": template.HTML(r.Chart().SVG()), "States": r.states(), "Times": r.times(), "Standings": Standings(r.Catches), "Mutants": byMutant(r.Catches),
		"Missed": Missed(r.Catches), "Ratio": ratio, "Ratios": ratios,
	})
}

// Chart shows how many mutants each strategy has found after so many schedules, on the average over seeds.
func (r *Report) Chart() *chart.Chart {
	c := &chart.Chart{
		Name: "found", Title: "Mutants found within k schedules", Of: "k",
		X: "schedules k (logarithmic)", Y: "mutants found, mean of seeds",
	}
	for _, group := range byStrategy(r.Catches) {
		l := chart.Line{Name: group[0].Strategy}
		for _, k := range counts(r.Options.Schedules) {
			y := found(group, k)
			l.Points = append(l.Points, chart.Point{X: float64(k), Y: y, Low: y, High: y})
		}
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		c.Text += fmt.Sprintf("%s: %.1f within %.0f, %.1f within %.0f. ", l.Name, first.Y, first.X, last.Y, last.X)
		c.Lines = append(c.Lines, l)
	}
	return c
}

// states is the chart of the states that each strategy meets; "" where they were not counted.
func (r *Report) states() template.HTML {
	if len(r.Reaches) == 0 {
		return ""
	}
	return template.HTML(r.StatesChart().SVG())
}

// StatesChart shows which part of the states that are met at all each strategy meets within so many schedules, on the average
// over protocols.
func (r *Report) StatesChart() *chart.Chart {
	c := &chart.Chart{
		Name: "states", Title: "States met within k schedules", Of: "k",
		X: "schedules k (logarithmic)", Y: "% of the states met by any strategy",
	}
	for _, name := range r.Options.Strategies {
		l := chart.Line{Name: name}
		for _, k := range counts(r.Options.Schedules) {
			y := meanShare(r.Reaches, name, k)
			l.Points = append(l.Points, chart.Point{X: float64(k), Y: y, Low: y, High: y})
		}
		last := l.Points[len(l.Points)-1]
		c.Text += fmt.Sprintf("%s: %.1f %% within %.0f. ", name, last.Y, last.X)
		c.Lines = append(c.Lines, l)
	}
	return c
}

// times is the chart of the states that each strategy meets in equal times; "" where they were not counted.
func (r *Report) times() template.HTML {
	if len(r.Reaches) == 0 || len(r.Options.Strategies) == 1 {
		return ""
	}
	return template.HTML(r.TimesChart().SVG())
}

// TimesChart is StatesChart over time: the unit of each protocol is the mean time of a schedule of the first strategy, so that protocols whose
// schedules take shorter and longer have a mean.
func (r *Report) TimesChart() *chart.Chart {
	unit := r.Options.Strategies[0]
	c := &chart.Chart{
		Name: "times", Title: fmt.Sprintf("States met in the time of k schedules of %s", unit), Of: "k",
		X: fmt.Sprintf("time, in schedules of %s (logarithmic)", unit), Y: "% of the states met by any strategy",
	}
	for _, name := range r.Options.Strategies {
		l := chart.Line{Name: name}
		for _, k := range counts(r.Options.Schedules) {
			if y, known := meanShareBy(r.Reaches, unit, name, k); known {
				l.Points = append(l.Points, chart.Point{X: float64(k), Y: y, Low: y, High: y})
			}
		}
		if len(l.Points) == 0 {
			continue
		}
		last := l.Points[len(l.Points)-1]
		c.Text += fmt.Sprintf("%s: %.1f %% in the time of %.0f. ", name, last.Y, last.X)
		c.Lines = append(c.Lines, l)
	}
	return c
}

// meanShareBy is the part of the states, in percent, that a strategy meets while another one takes k schedules, on the average over protocols. It is not
// known where the strategy did not sample for as long.
func meanShareBy(all []Reach, unit, name string, k int64) (share float64, known bool) {
	took := map[string]float64{}
	for _, r := range all {
		if r.Strategy == unit {
			took[r.Protocol] = r.Seconds
		}
	}
	sum, n := 0.0, 0
	for _, r := range all {
		if r.Strategy != name {
			continue
		}
		own := float64(k) // schedules in this time
		if name != unit {
			own *= took[r.Protocol] / r.Seconds
		}
		if !(own <= float64(r.Points[len(r.Points)-1].Schedules)) { // nor is it where no time was measured
			return 0, false
		}
		sum, n = sum+r.between(own), n+1
	}
	return 100 * sum / float64(max(n, 1)), n > 0
}

// meanShare is the part of the states, in percent, that a strategy meets within k schedules, on the average over protocols.
func meanShare(all []Reach, name string, k int64) float64 {
	sum, n := 0.0, 0
	for _, r := range all {
		if r.Strategy == name {
			sum, n = sum+r.share(k), n+1
		}
	}
	return 100 * sum / float64(max(n, 1))
}

// counts are the powers of two up to a cap, and the cap.
func counts(cap int) (all []int64) {
	for k := int64(1); k < int64(cap); k *= 2 {
		all = append(all, k)
	}
	return append(all, int64(cap))
}

// found is how many mutants were caught by the first k schedules, on the average over seeds.
func found(catches []Catch, k int64) (sum float64) {
	for _, c := range catches {
		n := 0
		for _, t := range c.Tries {
			if t.Found && t.Schedules <= k {
				n++
			}
		}
		sum += float64(n) / float64(len(c.Tries))
	}
	return sum
}

// best reports whether no median of a mutant is smaller.
func (c Catch) best(of []Catch) bool {
	return c.Median.Known() && !slices.ContainsFunc(of, func(o Catch) bool { return o.Median.AtLeast < c.Median.AtLeast })
}

// place is the class of a strategy's cell in the row of a mutant.
func (c Catch) place(of []Catch) string {
	switch {
	case c.best(of):
		return "best"
	case !c.Median.Known():
		return "missed"
	}
	return ""
}

// The bar of a cell is a scale of so many pixels, logarithmic, from one schedule to the cap. The style of the page draws it, since a
// drawing in each cell makes the page of all mutants three times as long.
const barWidth = 68

// bar has the median as a dot on its interval. What lies beyond the cap is an arrow at the end.
func (c Catch) bar() template.HTML {
	x := func(schedules float64) float64 {
		return barWidth * math.Log(min(max(schedules, 1), float64(c.Cap)+1)) / math.Log(float64(c.Cap)+1)
	}
	style, class := "", ""
	if c.Low != nil {
		style = fmt.Sprintf("--a:%.0f;--w:%.0f;", x(c.Low.AtLeast), x(c.High.AtMost)-x(c.Low.AtLeast))
	}
	if c.Median.Known() {
		style += fmt.Sprintf("--m:%.0f", x(c.Median.AtLeast))
	} else {
		class = ` class="over"`
	}
	return template.HTML(fmt.Sprintf(`<i%s style="%s"></i>`, class, style))
}
