package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/checker/tables"
	"contend/checker/verify/console"
)

// section is one of its sections: a row with its cells, or a table that is a matrix.
type section struct {
	cells  []*tables.Entry
	matrix *matrix // or nil
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
				run = fmt.Sprintf("%s (%s)", console.Counted(e.Steps, "step", "steps"), run)
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
