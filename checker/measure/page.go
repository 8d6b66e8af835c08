package measure

import (
	_ "embed" // the page's template
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"contend/checker/measure/simulate"
	"contend/model"
)

//go:embed page.html
var pageSource string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"number": Number,
	"interval": func(e Estimate) string {
		return fmt.Sprintf("%s [%s, %s]", Number(e.Value), Number(e.Low), Number(e.High))
	},
	"label": func(s Series) string {
		if s.Variant == "" {
			return s.Protocol
		}
		return s.Protocol + "/" + s.Variant
	},
	"percent":  func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) },
	"exponent": func(e Estimate) string { return fmt.Sprintf("%.3f [%.3f, %.3f]", e.Value, e.Low, e.High) },
	"growth":   func(f Fit) string { return Growth[f.Quantity] },
}).Parse(pageSource))

// Page writes a report as one self-contained HTML file. Equal reports and options give equal bytes.
func (r *Report) Page(w io.Writer, p *model.Protocol, opt Options, command string) error {
	var charts []template.HTML
	for _, c := range r.Charts() {
		charts = append(charts, template.HTML(c.SVG()))
	}
	return page.Execute(w, map[string]any{
		"Protocol": p, "Report": r, "Command": command, "Charts": charts, "Runs": opt.Runs, "Seed": opt.Seed,
		"Law": lawText[opt.Law], "Sizes": sizes(p, r.Config), "Behaviours": r.behavioursText(), "Says": r.says(), "From": fitFrom,
	})
}

var lawText = map[simulate.Law]string{
	simulate.Uniform: "Each message takes a time drawn uniformly from [0, δ].",
	simulate.Slowest: "Each message takes δ.",
	simulate.Fastest: "Messages take no time.",
}

// sizes formats the parameters of a configuration. It omits those that measuring sets, and trivial zeros.
func sizes(p *model.Protocol, c model.Config) string {
	var out []string
	for _, param := range p.Params {
		d := param.Declared()
		if v, set := c.Setting(d.Name); set && !d.Plain(v) && d.Name != model.Clients.Name && d.Name != model.Ops.Name {
			out = append(out, fmt.Sprintf("%s = %d", d.Symbol, v))
		}
	}
	return strings.Join(out, ", ")
}

// behavioursText returns the measured behaviours with their descriptions.
func (r *Report) behavioursText() [][2]string {
	return slices.DeleteFunc(slices.Clone(Behaviours), func(b [2]string) bool { return !slices.Contains(r.behaviours(), b[0]) })
}

// says returns one point with an example message for each series of worst behaviour.
func (r *Report) says() []Point {
	var out []Point
	for _, p := range r.Points {
		if p.Says != "" && !slices.ContainsFunc(out, func(o Point) bool { return o.Series == p.Series }) {
			out = append(out, p)
		}
	}
	return out
}
