package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/checker/tables"
)

// page is a table as a page in Markdown.
type page struct {
	sections []*section
}

// section is one of its sections: a row with its cells, or a table that is a matrix.
type section struct {
	cells  []*tables.Entry
	matrix *matrix // or nil
}

func (p *page) add(e *tables.Entry) {
	last := len(p.sections) - 1
	switch {
	case isMatrix(e):
		if last < 0 || p.sections[last].matrix == nil || p.sections[last].matrix.table != e.Of.Table {
			p.sections = append(p.sections, &section{matrix: &matrix{table: e.Of.Table}})
			last++
		}
		p.sections[last].matrix.add(e)
	case last < 0 || p.sections[last].matrix != nil || p.sections[last].cells[0].Row != e.Row:
		p.sections = append(p.sections, &section{cells: []*tables.Entry{e}})
	default:
		p.sections[last].cells = append(p.sections[last].cells, e)
	}
}

const pageHead = `# Tables

This page compares what texts print about locks, elections and multicasts with what searches find. It is made by

    verify table --markdown > docs/tables.md

How to read a row:

- *Printed* is what the text says.
- *Computed*, of a number, is the least and the most over **all runs**, found by an exhaustive search at each of the sizes beside
  it. A formula is the simplest that fits them (a constant, a·N, a·(N − 1), a·N + b, a·N² + b·N + c), and is there only if there are
  more sizes than it has coefficients. Of a property, it is the verdict on the claims that are named, or on the claim of the same name.
- *Agrees*: each number is what the printed formula gives, or each claim has the printed verdict, within these bounds. If a text can be
  read in several ways, this is the reading in which it is right; the others have rows of their own.
- *Differs (known)*: it does not agree, and the reason is below the table. These cells come first.
- *Inconclusive*: not all runs were searched. *Not printed*: the text has no such cell; these are folded, without a verdict.
- *Problem*: a problem that the text names, with the claim that it breaks. *Shown*: a run shows it.
- *Bounds* are letters of the folded list below the table. Each entry there is an argument of ` + "`verify check`" + `; add
  ` + "`--costs`" + ` for a number, or ` + "`--claim NAME`" + ` for a claim. A number has the bounds of its largest size.

What the numbers count:

- *Messages per entry and exit* are all that are sent for a passage, also after it, whether they arrive or not.
- *Delays* are messages one after another: the longest chain that is sent after the request (client delay) or after the exit
  (synchronization delay) and that ends at the entry. A chain may begin at any node. What was in flight before belongs to none.
- Delays *in time* are ticks. A message takes at most one tick, and everything else takes none. The most is the delay as it is usually defined. The
  least says nothing, because messages may be fast. The two kinds of delay differ: many fast messages can follow one another while a
  slow one is in flight, and what was sent before the request or the exit takes time after it.
- *One process asks*: the others take part, and never ask.
- *Messages per election* are those of a run in which one process initiates once. *Sequential messages* are the longest chain from
  there to the last decision. All N are up, except where *N counts a crashed one*: the coordinator that the election replaces. The
  lecture prints nothing of that case.
- Processes do not fail and messages arrive, unless a row says otherwise.
`

func (p *page) String() string {
	var b strings.Builder
	b.WriteString(pageHead)
	for _, s := range p.sections {
		if s.matrix != nil {
			b.WriteString(s.matrix.markdown())
		} else {
			b.WriteString(s.markdown())
		}
	}
	return b.String()
}

// markdown is the section of a row: its cells, those that differ first, why they do, and, folded, the
// cells that the text does not have, unless there are no others, and the bounds.
func (s *section) markdown() string {
	cells := slices.Clone(s.cells)
	slices.SortStableFunc(cells, func(a, b *tables.Entry) int { return cmp.Compare(place(a), place(b)) })
	first := slices.IndexFunc(cells, func(e *tables.Entry) bool { return place(e) == unprinted })
	if first <= 0 {
		first = len(cells)
	}
	var b strings.Builder
	var at marks
	fmt.Fprintf(&b, "\n## %s\n\n%s. Source: %s.\n\n%s", cells[0].Row, cells[0].Title, cells[0].Source, at.table(cells[:first]))
	b.WriteString(at.reasons(cells))
	if first < len(cells) {
		b.WriteString(folded("Not printed", at.table(cells[first:])))
	}
	b.WriteString(folded("Bounds", at.list()))
	return b.String()
}

// table is cells as a table; where the text has none of them, without what it prints and how they
// compare with that.
func (m *marks) table(cells []*tables.Entry) string {
	var b strings.Builder
	short := place(cells[0]) == unprinted
	if short {
		b.WriteString("| cell | computed | bounds |\n|---|---|---|\n")
	} else {
		b.WriteString("| cell | printed | computed | verdict | bounds |\n|---|---|---|---|---|\n")
	}
	for _, e := range cells {
		name, printed, verdict := placeOf(e), orNone(e.Printed), verdictOf(e)
		if e.Kind == tables.Problem {
			name, printed = e.Printed, "problem"
			if e.Verdict == tables.Agrees {
				verdict = "shown"
			}
		}
		is, bounds := m.found(e)
		line := []string{name, printed, is, verdict, bounds}
		if short {
			line = []string{name, is, bounds}
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(line, " | "))
	}
	return b.String()
}

// The places of cells in a section.
const (
	different = iota
	open
	agreeing
	problem
	unprinted
)

// place is where a cell stands among those of its row.
func place(e *tables.Entry) int {
	switch {
	case e.Verdict == tables.Differs || !e.Expected:
		return different
	case e.Verdict == tables.Inconclusive:
		return open
	case e.Verdict == tables.NotPrinted:
		return unprinted
	case e.Kind == tables.Problem:
		return problem
	}
	return agreeing
}

// marks are letters for the bounds of a section's cells.
type marks struct{ bounds []string }

// of is the letter of the bounds of a command.
func (m *marks) of(command string) string {
	bounds := boundsOf(command)
	i := slices.Index(m.bounds, bounds)
	if i < 0 {
		i = len(m.bounds)
		m.bounds = append(m.bounds, bounds)
	}
	return letter(i)
}

// letter counts a, b, … z, aa, ab …
func letter(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letter(i/26-1) + letter(i%26)
}

// list is what the letters stand for.
func (m *marks) list() string {
	var b strings.Builder
	for i, bounds := range m.bounds {
		fmt.Fprintf(&b, "- %s: `%s`\n", letter(i), bounds)
	}
	return b.String()
}

// found is what a cell came to, and the letters of its bounds.
func (m *marks) found(e *tables.Entry) (is, bounds string) {
	if e.Kind == tables.Number {
		return computed(e), m.of(e.Points[len(e.Points)-1].Command)
	}
	var letters, names []string
	for _, r := range e.Claims {
		letters, names = append(letters, m.of(r.Command)), append(names, r.Name)
	}
	var parts []string
	for _, name := range unique(names) {
		part := m.verdicts(e, name)
		if name != e.Name || e.Kind == tables.Problem {
			part = name + " " + part
		}
		parts = append(parts, part)
	}
	if is = strings.Join(parts, ", "); e.Kind == tables.Problem && e.Steps > 0 {
		is += ", " + Counted(e.Steps, "step", "steps")
	}
	return is, strings.Join(unique(letters), ", ")
}

// verdicts are those on one claim of a cell: one, or several with the letters of their bounds.
func (m *marks) verdicts(e *tables.Entry, claim string) string {
	var verdicts, at []string
	for _, r := range e.Claims {
		if r.Name == claim {
			verdicts, at = append(verdicts, string(r.Verdict)), append(at, fmt.Sprintf("%s (%s)", r.Verdict, m.of(r.Command)))
		}
	}
	if all := unique(verdicts); len(all) == 1 {
		return all[0]
	}
	return strings.Join(at, ", ")
}

// unique has each once, in the order in which they come.
func unique(all []string) []string {
	var once []string
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

// reasons say why cells differ or are open, and which runs show it: a reason once, for all its cells.
func (m *marks) reasons(cells []*tables.Entry) string {
	of := map[string][]*tables.Entry{}
	var whys []string
	for _, e := range cells {
		if remarkable(e) {
			of[why(e)] = append(of[why(e)], e)
			whys = append(whys, why(e))
		}
	}
	var b strings.Builder
	for _, reason := range unique(whys) {
		var places, runs []string
		for _, e := range of[reason] {
			places = append(places, "*"+placeOf(e)+"*")
			run := m.of(e.Command)
			if e.Steps > 0 {
				run = fmt.Sprintf("%s (%s)", Counted(e.Steps, "step", "steps"), run)
			}
			runs = append(runs, run)
		}
		fmt.Fprintf(&b, "\n- %s: %s. Shown by: %s.", strings.Join(places, ", "), reason, strings.Join(unique(runs), ", "))
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}

// folded is text that a reader opens by its title.
func folded(title, text string) string {
	return fmt.Sprintf("\n<details><summary>%s</summary>\n\n%s\n</details>\n", title, text)
}
