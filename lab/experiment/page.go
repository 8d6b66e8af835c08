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

// A Report is the content of a page.
type Report struct {
	Options Options
	Catches []Catch
	Reaches []Reach             // of protocols and strategies; may be empty
	Omitted map[string][]string // omitted mutants by reason
	Command string              // command line for this page
}

// Page writes a report as one self-contained HTML file.
func (r *Report) Page(w io.Writer) error {
	ratio, ratios := Ratio(r.Catches, "portfolio")
	return page.Execute(w, map[string]any{
		"Report": r, "Chart": template.HTML(r.Chart().SVG()), "States": r.states(), "Times": r.times(), "Standings": Standings(r.Catches), "Mutants": byMutant(r.Catches),
		"Missed": Missed(r.Catches), "Ratio": ratio, "Ratios": ratios,
	})
}

// Chart returns a chart of the mutants that each strategy finds within k schedules, averaged over seeds.
func (r *Report) Chart() *chart.Chart {
	c := &chart.Chart{
		Name: "found", Title: "Mutants found within k schedules", Symbol: "k",
		X: "schedules k (logarithmic)", Y: "mutants found, mean of seeds",
	}
	for _, group := range byStrategy(r.Catches) {
		l := chart.Line{Name: group[0].Strategy}
		for _, k := range counts(r.Options.Schedules) {
			y := caughtWithin(group, k)
			l.Points = append(l.Points, chart.Point{X: float64(k), Y: y, Low: y, High: y})
		}
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		c.Text += fmt.Sprintf("%s: %.1f within %.0f, %.1f within %.0f. ", l.Name, first.Y, first.X, last.Y, last.X)
		c.Lines = append(c.Lines, l)
	}
	return c
}

// states returns the chart of visited states; "" if they were not counted.
func (r *Report) states() template.HTML {
	if len(r.Reaches) == 0 {
		return ""
	}
	return template.HTML(r.StatesChart().SVG())
}

// StatesChart returns a chart of the share of states that each strategy visits within k schedules, averaged
// over protocols.
func (r *Report) StatesChart() *chart.Chart {
	c := &chart.Chart{
		Name: "states", Title: "States met within k schedules", Symbol: "k",
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

// times returns the chart of states over time; "" if they were not counted.
func (r *Report) times() template.HTML {
	if len(r.Reaches) == 0 || len(r.Options.Strategies) == 1 {
		return ""
	}
	return template.HTML(r.TimesChart().SVG())
}

// TimesChart returns StatesChart over time. The unit of each protocol is the mean time of a schedule of the
// first strategy, so that protocols are comparable.
func (r *Report) TimesChart() *chart.Chart {
	unit := r.Options.Strategies[0]
	c := &chart.Chart{
		Name: "times", Title: fmt.Sprintf("States met in the time of k schedules of %s", unit), Symbol: "k",
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

// meanShareBy returns the percentage of states that a strategy visits in the time of k schedules of another
// strategy, averaged over protocols. It returns false if the strategy sampled for less time.
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
		if !(own <= float64(r.Points[len(r.Points)-1].Schedules)) { // false without measured times, too
			return 0, false
		}
		sum, n = sum+r.interpolate(own), n+1
	}
	return 100 * sum / float64(max(n, 1)), n > 0
}

// meanShare returns the percentage of states that a strategy visits within k schedules, averaged over
// protocols.
func meanShare(all []Reach, name string, k int64) float64 {
	sum, n := 0.0, 0
	for _, r := range all {
		if r.Strategy == name {
			sum, n = sum+r.share(k), n+1
		}
	}
	return 100 * sum / float64(max(n, 1))
}

// counts returns the powers of two below a cap, and the cap.
func counts(cap int) (all []int64) {
	for k := int64(1); k < int64(cap); k *= 2 {
		all = append(all, k)
	}
	return append(all, int64(cap))
}

// caughtWithin returns the number of mutants caught within k schedules, averaged over seeds.
func caughtWithin(catches []Catch, k int64) (sum float64) {
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

// best reports whether no other median of the mutant is smaller.
func (c Catch) best(all []Catch) bool {
	return c.Median.Known() && !slices.ContainsFunc(all, func(o Catch) bool { return o.Median.AtLeast < c.Median.AtLeast })
}

// place returns the CSS class of a strategy's cell.
func (c Catch) place(all []Catch) string {
	switch {
	case c.best(all):
		return "best"
	case !c.Median.Known():
		return "missed"
	}
	return ""
}

// barWidth is the width of a cell's logarithmic scale, in pixels. The page's style draws the scale: a drawing
// in each cell would triple the page.
const barWidth = 68

// bar returns the scale of a cell: the median as a dot, and its interval. Values beyond the cap are an arrow.
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
