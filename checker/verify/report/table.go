package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"contend/checker"
	"contend/model"
)

// table prints rows as they finish, so its columns are as wide as the planned
// checks may need.
type table struct {
	w      io.Writer
	jobs   []Job
	widths [5]int
	total  int
	colour bool
	noted  map[string]bool // notes, each printed where it comes first
}

// columns are followed by the bounds, which take what is left of the line.
var columns = [5]string{"PROTOCOL", "CLAIM", "VERDICT", "STATES", "SECONDS"}

func newTable(w io.Writer, jobs []Job) *table {
	t := &table{w: w, jobs: jobs, widths: [5]int{8, 5, 12, 10, 7}, total: 120, noted: map[string]bool{}}
	for _, j := range jobs {
		t.widths[0] = max(t.widths[0], utf8.RuneCountInString(Label(j.Protocol.Name, j.Check.Variant)))
		names := j.Check.Claims
		if len(names) == 0 {
			names = ClaimNames(j.Protocol)
		}
		if len(j.Protocol.Findings) > 0 {
			t.widths[2] = len("violated (finding)")
		}
		for _, name := range names {
			t.widths[1] = max(t.widths[1], utf8.RuneCountInString(name))
		}
	}
	if f := terminal(w); f != nil {
		t.colour = Coloured(w)
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			t.total = width
		}
	}
	return t
}

func (t *table) header() { t.line(columns, "BOUNDS") }

// line prints one line; a cell that is too long moves those after it.
func (t *table) line(cells [5]string, bounds string) {
	var b strings.Builder
	for i, cell := range cells {
		gap := strings.Repeat(" ", max(0, t.widths[i]-utf8.RuneCountInString(cell)))
		if i == 2 {
			cell = t.coloured(cell)
		}
		if i >= 3 { // numbers
			cell, gap = gap+cell, ""
		}
		b.WriteString(cell + gap + "  ")
	}
	fmt.Fprintln(t.w, strings.TrimRight(b.String()+bounds, " "))
}

func (t *table) coloured(verdict string) string {
	code, ok := map[string]string{"holds": "32", "violated": "31", "violated (finding)": "33", "inconclusive": "33", "not claimed": "2"}[verdict]
	if !t.colour || !ok {
		return verdict
	}
	return "\x1b[" + code + "m" + verdict + "\x1b[0m"
}

// row prints a line for each claim, with the bounds beside them, and remarks below.
func (t *table) row(row *checker.Row) {
	left := 0
	for _, w := range t.widths {
		left += w + 2
	}
	bounds := Wrapped(t.bounds(row), max(30, t.total-left))
	for i := range max(len(row.Claims), len(bounds)) {
		var cells [5]string
		beside := ""
		if i < len(row.Claims) {
			cells[1], cells[2] = row.Claims[i].Name, verdictCell(row.Claims[i])
		}
		if i == 0 {
			cells[0], cells[3], cells[4] = Label(row.Protocol, row.Variant), states(row), fmt.Sprintf("%.1f", row.Seconds)
		}
		if i < len(bounds) {
			beside = bounds[i]
		}
		t.line(cells, beside)
	}
	for _, remark := range remarks(row) {
		fmt.Fprintf(t.w, "  %s\n", remark)
	}
	for _, note := range row.Notes {
		if key := row.Protocol + note; !t.noted[key] {
			t.noted[key] = true
			fmt.Fprintf(t.w, "  note: %s\n", note)
		}
	}
	if row.Profile != "" {
		fmt.Fprintf(t.w, "\n%s\n", row.Profile)
	}
}

func verdictCell(c checker.ClaimResult) string {
	if c.Finding != "" {
		return string(c.Verdict) + " (finding)"
	}
	return string(c.Verdict)
}

func states(row *checker.Row) string {
	if sampled(row) {
		return fmt.Sprintf("%d runs", row.Schedules)
	}
	return fmt.Sprint(row.States)
}

// remarks say what a verdict alone does not.
func remarks(row *checker.Row) []string {
	var out []string
	for _, c := range row.Claims {
		if len(c.Unmet) > 0 {
			out = append(out, fmt.Sprintf("%s was put to the test anyway: it assumes %s", c.Name, strings.Join(c.Unmet, ", ")))
		}
		switch {
		case c.Verdict == checker.NotClaimed:
			out = append(out, fmt.Sprintf("%s is not claimed: %s", c.Name, c.Text))
		case c.Vacuous != "":
			out = append(out, fmt.Sprintf("%s holds, and no run can put it to the test: %s", c.Name, c.Vacuous))
		case c.Finding != "": // told in the end, in a line
		case c.Verdict == checker.Violated:
			out = append(out, fmt.Sprintf("%s is violated: %s", c.Name, c.Text))
			if c.Unrecorded != "" {
				out = append(out, fmt.Sprintf("  the finding %s is recorded for other bounds or faults, and does not cover this violation", c.Unrecorded))
			}
			for _, says := range c.Why {
				out = append(out, "  "+says)
			}
		case c.Verdict == checker.Inconclusive && c.Text != "":
			out = append(out, fmt.Sprintf("%s is open: %s", c.Name, c.Text))
		case c.Verdict == checker.Inconclusive && c.Limit != row.Limit:
			out = append(out, fmt.Sprintf("%s is open: limit %s", c.Name, c.Limit))
		}
	}
	switch {
	case row.Limit == checker.NothingClaimed:
		out = append(out, "nothing was put to the test: no claim asked for is claimed here")
	case row.Limit != "" && !sampled(row):
		out = append(out, fmt.Sprintf("the search stopped at its limit: %s", row.Limit))
	}
	return out
}

// bounds lists within what a row's verdicts stand.
func (t *table) bounds(row *checker.Row) []string {
	c, out := row.Config, t.sizes(row)
	out = append(out, faults(row.Faults)...)
	if c.Drift != 0 {
		out = append(out, fmt.Sprintf("ρ=%d/1000", c.Drift))
	}
	if c.Network != "" {
		out = append(out, "network="+string(c.Network))
	}
	if c.Beyond {
		out = append(out, "beyond-bounds")
	}
	if slices.ContainsFunc(row.Claims, func(c checker.ClaimResult) bool { return len(c.Unmet) > 0 }) {
		out = append(out, "assume-anyway")
	}
	out = append(out, row.Time)
	if f := row.From; f != nil {
		out = append(out, "from "+Plain(f.Trace), fmt.Sprintf("after=%d", f.Steps))
	}
	if sampled(row) {
		out = append(out, "seed="+row.Seed)
	}
	for _, name := range sorted(row.Cut) {
		out = append(out, fmt.Sprintf("cut(%s)=%d", name, row.Cut[name]))
	}
	return out
}

// sizes lists the protocol's parameters by their symbols. That nobody lies is worth
// telling of a protocol that can bear it.
func (t *table) sizes(row *checker.Row) []string {
	i := slices.IndexFunc(t.jobs, func(j Job) bool { return j.Protocol.Name == row.Protocol })
	if i < 0 {
		return nil
	}
	var out []string
	for _, param := range t.jobs[i].Protocol.Params {
		d := param.Declared()
		if v, set := row.Config.Setting(d.Name); set && (!d.Plain(v) || d.Name == model.B.Name) {
			out = append(out, fmt.Sprintf("%s=%d", d.Symbol, v))
		}
	}
	return out
}

func faults(f model.Faults) []string {
	var out []string
	for _, b := range []struct {
		name string
		is   int
	}{{"crashes", f.Crashes}, {"loss", f.Loss}, {"duplication", f.Duplication}, {"restarts", f.Restarts}, {"suspicions", f.Suspicions}, {"partitions", f.Partitions}} {
		if b.is != 0 {
			out = append(out, fmt.Sprintf("%s=%d", b.name, b.is))
		}
	}
	return out
}

// Wrapped breaks items into lines of a width.
func Wrapped(items []string, width int) []string {
	var lines []string
	for _, item := range items {
		last := len(lines) - 1
		if last >= 0 && utf8.RuneCountInString(lines[last]+" "+item) <= width {
			lines[last] += " " + item
			continue
		}
		lines = append(lines, item)
	}
	return lines
}
