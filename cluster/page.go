package cluster

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"contend/checker"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/cluster/board"
	"contend/cluster/campaign"
	"contend/cluster/hub"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// A page is the page of a campaign, rewritten periodically while the campaign runs. The browser reloads it.
// It is self-contained.
type page struct {
	tool   *tool.Tool
	c      *board.Campaign
	path   string // "" if there is no page
	next   time.Time
	points []point
}

// A point is the progress at a time.
type point struct {
	at    time.Time
	steps int64
	jobs  int
}

func newPage(t *tool.Tool, c *board.Campaign, path string) *page {
	return &page{tool: t, c: c, path: path}
}

// every is the period of rewriting, unless writing would take more than a tenth of the time.
const every = 5 * time.Second

// refresh writes the page if the period is over.
func (p *page) refresh(ctx context.Context) error {
	start := time.Now()
	if p.path == "" || start.Before(p.next) {
		return nil
	}
	outcomes, err := p.c.Outcomes(ctx)
	if hub.ConnectionLost(err) || ctx.Err() != nil {
		return nil // the page waits for the server
	}
	if err == nil {
		err = p.write(ctx, p.tables(outcomes), false)
	}
	p.next = time.Now().Add(max(every, 10*time.Since(start)))
	return err
}

// last writes the final page. Its violations were replayed, and link to pages of their own.
func (p *page) last(ctx context.Context, u *campaign.Union) error {
	if p.path == "" {
		return nil
	}
	outcomes, err := p.c.Outcomes(ctx)
	if err != nil {
		return err
	}
	v := p.tables(outcomes)
	v.Violations = v.Violations[:0]
	for i, checks := range u.Rows {
		for k, rows := range checks {
			v.violations(p.c.Work, i, k, rows, p.path)
		}
	}
	v.Sum = u.Sum()
	return p.write(ctx, v, true)
}

// A view is the content of the page.
type view struct {
	Status     *status
	Parts      []partView
	Violations []violation
	Workers    []workerView
	Rate       string // recent states and schedules per second
	Chart      string // points of a line
	Most       string // its height
	Span       string // its width
	Sum        string // only on the final page
	Refresh    int    // seconds; 0 on the final page
}

type partView struct {
	Line string
	Rows []rowView
}

// A rowView is a protocol of a part.
type rowView struct {
	Label                   string
	Jobs, Done              int
	States, Schedules       int64
	Violated, Findings, Bad int
	Open                    int
}

type violation struct {
	Label, Claim, Text, Page string
	Steps                    int
}

type workerView struct{ Name, Does, For, Done string }

// tables counts outcomes by part and protocol.
func (p *page) tables(outcomes []*campaign.Outcome) *view {
	v := &view{}
	w := p.c.Work
	at := make([]map[string]int, len(w.Parts))
	for i, part := range w.Parts {
		v.Parts = append(v.Parts, partView{Line: console.Quoted(part.Line)})
		at[i] = map[string]int{}
	}
	for n, o := range outcomes {
		job := w.Job(n)
		label := "selftest"
		if plan := w.Parts[job.Part].Plan; plan != nil {
			label = plan.Jobs[job.Check].Protocol.Name
		} else if fuzz := w.Parts[job.Part].Fuzz; fuzz != nil {
			label = fuzz.Label(job.Check)
		}
		part := &v.Parts[job.Part]
		i, met := at[job.Part][label]
		if !met {
			i = len(part.Rows)
			at[job.Part][label] = i
			part.Rows = append(part.Rows, rowView{Label: label})
		}
		part.Rows[i].add(o)
		if o != nil && w.Parts[job.Part].Plan != nil {
			v.violations(w, job.Part, job.Check, o.Rows, "")
		}
		if o != nil && o.Fuzzed != nil {
			for _, found := range o.Fuzzed.Violations {
				v.shortest(violation{Label: label, Claim: found.Claim, Text: found.Text, Steps: found.Steps})
			}
		}
	}
	return v
}

func (r *rowView) add(o *campaign.Outcome) {
	r.Jobs++
	if o == nil {
		return
	}
	r.Done++
	if o.Aside != nil || o.Error != "" || o.Tally != nil && len(o.Tally.Disagreements) > 0 {
		r.Bad++
	}
	if o.Tally != nil {
		r.Schedules += int64(o.Tally.Systems)
	}
	if o.Fuzzed != nil {
		r.Schedules += int64(o.Fuzzed.Inputs)
		r.Violated += len(o.Fuzzed.Violations)
	}
	for _, row := range o.Rows {
		r.States += row.States
		r.Schedules += row.Schedules
	}
	violated, findings, open := verdicts(o.Rows)
	r.Violated += violated
	r.Findings += findings
	r.Open += open
}

// violations adds the unexpected violations of rows: no findings, and none of mutants. If from is the file of
// a page, each violation links to its own page.
func (v *view) violations(w *campaign.Work, part, check int, rows []*checker.Row, from string) {
	if w.Parts[part].Mutant(check) {
		return
	}
	for _, row := range rows {
		for _, c := range row.Claims {
			if c.Verdict != checker.Violated || c.Finding != "" {
				continue
			}
			found := violation{Label: console.Label(row.Protocol, row.Variant), Claim: c.Name, Text: c.Text, Steps: c.Steps}
			if c.Trace != "" && from != "" {
				if rel, err := filepath.Rel(filepath.Dir(from), strings.TrimSuffix(c.Trace, ".json")+".html"); err == nil {
					found.Page = filepath.ToSlash(rel)
				}
			}
			v.shortest(found)
		}
	}
}

// shortest adds a violation, unless the claim has a shorter one.
func (v *view) shortest(found violation) {
	i := slices.IndexFunc(v.Violations, func(o violation) bool { return o.Label == found.Label && o.Claim == found.Claim })
	switch {
	case i < 0:
		v.Violations = append(v.Violations, found)
	case found.Steps < v.Violations[i].Steps:
		v.Violations[i] = found
	}
}

// write replaces the file atomically, so that a browser never reads half of it.
func (p *page) write(ctx context.Context, v *view, last bool) (err error) {
	if v.Status, err = statusOf(ctx, p.c); err != nil {
		return err
	}
	for _, r := range v.Status.Workers {
		v.Workers = append(v.Workers, workerView{r.Worker, cmp.Or(r.Title, "waits"), time.Since(r.Since).Truncate(time.Second).String(), fmt.Sprint(r.Done)})
	}
	p.points = append(p.points, point{time.Now(), v.Status.Steps, v.Status.Done})
	v.chart(p.points)
	if !last {
		v.Refresh = int(every / time.Second)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, v); err != nil {
		return err
	}
	if err := os.WriteFile(p.path+".new", b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return os.Rename(p.path+".new", p.path)
}

// Sizes of the chart, in units of the picture.
const (
	chartWidth  = 600
	chartHeight = 120
	mostPoints  = 300
)

// chart computes the line of states and schedules over time.
func (v *view) chart(points []point) {
	first, last := points[0], points[len(points)-1]
	span, most := last.at.Sub(first.at).Seconds(), int64(0)
	for _, p := range points {
		most = max(most, p.steps)
	}
	if span <= 0 || most == 0 {
		return
	}
	var b strings.Builder
	every := max(len(points)/mostPoints, 1)
	for i, p := range points {
		if i%every == 0 || i == len(points)-1 {
			fmt.Fprintf(&b, "%.1f,%.1f ", chartWidth*p.at.Sub(first.at).Seconds()/span, chartHeight*(1-float64(p.steps)/float64(most)))
		}
	}
	v.Chart, v.Most, v.Span = b.String(), fmt.Sprint(most), console.About(last.at.Sub(first.at))
	before := points[max(len(points)-7, 0)]
	if passed := last.at.Sub(before.at).Seconds(); passed > 0 {
		v.Rate = fmt.Sprintf("%.0f", float64(last.steps-before.steps)/passed)
	}
}
