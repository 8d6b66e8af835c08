package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/model"
)

// A listing prints rows as they finish.
type listing interface {
	row(*checker.Row)
	end() // is called after the last row
	// last prints the summary of all rows, and more lines. Runs are printed before it.
	last(t tally, more []string) error
}

// A table prints each row: a line on the configuration and the effort, and a line for each claim.
type table struct {
	w      io.Writer
	jobs   []*plan.Plan
	width  int
	colour bool
	folded bool            // what rows remark on besides violations and limits is counted, not printed
	noted  map[string]bool // notes, each printed where it comes first
	left   map[string]int  // remarks that were not printed, of what kind
	all    []*checker.Row
}

func newTable(w io.Writer, jobs []*plan.Plan, folded bool) *table {
	return &table{w: w, jobs: jobs, width: console.Width(w), colour: console.Coloured(w), folded: folded, noted: map[string]bool{}, left: map[string]int{}}
}

func (t *table) coloured(verdict string) string {
	is, _, _ := strings.Cut(verdict, ",")
	code, ok := map[string]string{"holds": "32", "violated": "31", "violated (finding)": "33", "inconclusive": "33", "not claimed": "2"}[is]
	if !t.colour || !ok {
		return verdict
	}
	return "\x1b[" + code + "m" + verdict + "\x1b[0m"
}

func (t *table) row(row *checker.Row) {
	t.all = append(t.all, row)
	effort := fmt.Sprintf("%s: %s, %.1f s;", console.Label(row.Protocol, row.Variant), states(row), row.Seconds)
	t.wrapped("", strings.Fields(effort+" "+strings.Join(t.bounds(row), " ")))
	widest := 0
	for _, c := range row.Claims {
		widest = max(widest, utf8.RuneCountInString(c.Name))
	}
	for _, c := range row.Claims {
		if t.folded && c.Verdict == checker.NotClaimed {
			continue
		}
		fmt.Fprintf(t.w, "  %s%s  %s\n", c.Name, strings.Repeat(" ", widest-utf8.RuneCountInString(c.Name)), t.coloured(verdictCell(row, c)))
	}
	for _, r := range remarks(row) {
		if t.folded && r.folds != "" {
			t.left[r.folds]++
			continue
		}
		t.wrapped("  ", strings.Fields(r.text))
	}
	for _, note := range row.Notes {
		if key := row.Protocol + note; !t.noted[key] {
			t.noted[key] = true
			if t.folded {
				t.left["note"]++
				continue
			}
			t.wrapped("  ", strings.Fields("note: "+note))
		}
	}
	if row.Profile != "" {
		fmt.Fprintf(t.w, "\n%s\n", row.Profile)
	}
}

func (t *table) wrapped(indent string, words []string) {
	console.Paragraph(t.w, indent, words, t.width)
}

// end prints what was folded.
func (t *table) end() {
	var folds []string
	for _, k := range []struct{ kind, one, many string }{
		{notClaimed, "claim that is not claimed here", "claims that are not claimed here"},
		{vacuous, "remark on a claim that no run can test", "remarks on claims that no run can test"}, {"note", "note", "notes"},
	} {
		if n := t.left[k.kind]; n > 0 {
			folds = append(folds, console.Counted(n, k.one, k.many))
		}
	}
	if len(folds) > 0 {
		fmt.Fprintln(t.w)
		t.wrapped("", strings.Fields(fmt.Sprintf("Not shown: %s; --rows prints them.", strings.Join(folds, ", "))))
	}
}

func (t *table) last(sum tally, more []string) error {
	for i, f := range known(t.all) {
		if i == 0 {
			fmt.Fprint(t.w, "\nFindings (known violations; --findings prints their runs):\n")
		}
		t.wrapped("  ", strings.Fields(fmt.Sprintf("%s, %s: %s%s", console.Label(f.row.Protocol, f.row.Variant), f.claim.Name, f.claim.Text, f.shown())))
	}
	fmt.Fprintln(t.w)
	sentences := append(sum.verdicts(), sum.scope()...)
	if uncalled := verdict.Uncalled(t.all); uncalled != "" {
		sentences = append(sentences, uncalled)
	}
	for _, sentence := range sentences {
		t.wrapped("", strings.Fields(sentence))
	}
	_, err := io.WriteString(t.w, lines(more))
	return err
}

// lines are texts of a line each.
func lines(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(text + "\n")
	}
	return b.String()
}

// verdictCell returns the verdict for the table. For a claim that sampling leaves open, it adds how many runs
// tested the claim, if not all.
func verdictCell(row *checker.Row, c checker.ClaimResult) string {
	switch {
	case c.Finding != "":
		return string(c.Verdict) + " (finding)"
	case sampled(row) && c.Verdict == checker.Inconclusive && c.Tested == 0:
		return string(c.Verdict) + ", tested by no run"
	case sampled(row) && c.Verdict == checker.Inconclusive && c.Tested < row.Schedules:
		return fmt.Sprintf("%s, tested by %s", c.Verdict, console.Counted(int(c.Tested), "run", "runs"))
	}
	return string(c.Verdict)
}

func states(row *checker.Row) string {
	if sampled(row) {
		return console.Counted(int(row.Schedules), "run", "runs")
	}
	of := console.Counted(int(row.States), "state", "states")
	if row.Then != "" {
		of += " and " + console.Counted(int(row.Schedules), "run", "runs")
	}
	return of
}

// A remark adds to a verdict.
type remark struct {
	text  string
	folds string // of what kind it is, where it may be left out
}

// notClaimed is the kind of remarks on claims whose assumptions a row does not meet.
const notClaimed = "not claimed"

// vacuous is the kind of remarks on claims that hold where no run can put them to the test.
const vacuous = "vacuous"

func remarks(row *checker.Row) []remark {
	var out []remark
	add := func(format string, args ...any) { out = append(out, remark{text: fmt.Sprintf(format, args...)}) }
	for _, c := range row.Claims {
		if len(c.Unmet) > 0 {
			add("%s was tested anyway, although it assumes %s", c.Name, strings.Join(c.Unmet, ", "))
		}
		switch {
		case c.Verdict == checker.NotClaimed:
			out = append(out, remark{fmt.Sprintf("%s is not claimed: %s", c.Name, c.Text), notClaimed})
		case c.Vacuous != "":
			out = append(out, remark{fmt.Sprintf("%s holds, but no run can test it: %s", c.Name, c.Vacuous), vacuous})
		case c.Finding != "": // told in the end, in a line
		case c.Verdict == checker.Violated:
			add("%s is violated: %s", c.Name, c.Text)
			if f := c.Found; f != nil {
				add("found by schedule %d of seed %s, strategy %s", f.Schedule, row.Seed, f.Strategy)
			}
			if c.Unrecorded != "" {
				add("the finding %s is recorded for other bounds or faults, and does not cover this violation", c.Unrecorded)
			}
			if m := c.Minimized; m != nil {
				add("%s; %s", m.Text, m.How)
			}
			for _, says := range c.Why {
				add("- %s", says)
			}
		case c.Verdict == checker.Inconclusive && c.Text != "":
			add("%s is inconclusive: %s", c.Name, c.Text)
		case c.Verdict == checker.Inconclusive && c.Limit != row.Limit:
			add("%s is inconclusive: limit %s", c.Name, c.Limit)
		}
	}
	switch {
	case row.Limit.Code == checker.NothingClaimed:
		add("no claim was tested: none of those asked for is claimed here")
	case !row.Limit.None() && !sampled(row):
		add("the search stopped at its limit: %s", row.Limit)
	}
	return out
}

// bounds lists the bounds within which a row's verdicts hold.
func (t *table) bounds(row *checker.Row) []string {
	c, out := row.Config, t.sizes(row)
	out = append(out, t.budgets(row)...)
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
		out = append(out, "from "+console.Plain(f.Trace), fmt.Sprintf("after=%d", f.Steps))
	}
	if sampled(row) {
		out = append(out, row.Strategy, "seed="+row.Seed)
	}
	for _, name := range sorted(row.Cut) {
		out = append(out, fmt.Sprintf("cut(%s)=%d", name, row.Cut[name]))
	}
	return out
}

// sizes lists the protocol's parameters by their symbols. That nobody lies is worth
// telling of a protocol that can bear it.
func (t *table) sizes(row *checker.Row) []string {
	p := t.protocol(row)
	if p == nil {
		return nil
	}
	var out []string
	for _, param := range p.Params {
		d := param.Declared()
		if v, set := row.Config.Setting(d.Name); set && (!d.Plain(v) || d.Name == model.B.Name) {
			out = append(out, fmt.Sprintf("%s=%d", d.Symbol, v))
		}
	}
	return out
}

// protocol returns the protocol of a row; nil if no job has it.
func (t *table) protocol(row *checker.Row) *model.Protocol {
	i := slices.IndexFunc(t.jobs, func(j *plan.Plan) bool { return j.Protocol.Name == row.Protocol })
	if i < 0 {
		return nil
	}
	return t.jobs[i].Protocol
}
