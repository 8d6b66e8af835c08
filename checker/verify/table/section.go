package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/checker/verify/console"
	"contend/lab/tables"
)

// A section is a section of the page: a row with its cells, or a matrix.
type section struct {
	cells  []*tables.Entry
	matrix *matrix // or nil
}

// markdown returns the section of a row: its cells, the differing ones first, the reasons, the problems, the
// bounds, and, folded, the cells that the text does not have, unless it has no others. It omits a known source.
func (s *section) markdown(known string) string {
	cells := slices.Clone(s.cells)
	slices.SortStableFunc(cells, func(a, b *tables.Entry) int { return cmp.Compare(place(a), place(b)) })
	var shown, problems, more []*tables.Entry
	for _, e := range cells {
		switch {
		case e.Kind == tables.Problem:
			problems = append(problems, e)
		case place(e) == unprinted:
			more = append(more, e)
		default:
			shown = append(shown, e)
		}
	}
	var b strings.Builder
	var at marks
	fmt.Fprintf(&b, "\n## %s\n\n%s.", cells[0].Row, cells[0].Title)
	if cells[0].Source != known {
		fmt.Fprintf(&b, " Source: %s.", cells[0].Source)
	}
	b.WriteString("\n" + at.table(shown))
	rest, list := at.list(more), at.list(problems)
	if len(shown) == 0 {
		b.WriteString(rest)
		rest = ""
	}
	b.WriteString(at.why(cells) + list)
	if rest != "" {
		b.WriteString(folded("Not printed", rest[1:]))
	}
	b.WriteString(folded("Bounds", at.legend()))
	return b.String()
}

// table is cells as a table.
func (m *marks) table(cells []*tables.Entry) string {
	if len(cells) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n| cell | printed | computed | bounds |\n|---|---|---|---|\n")
	for _, e := range cells {
		is, bounds := m.found(e)
		fmt.Fprintf(&b, "| %s | %s | %s%s | %s |\n", placeOf(e), orNone(e.Printed), is, m.differing(e), bounds)
	}
	return b.String()
}

// list returns cells without printed ones as a list: problems by the text's statement, and cells that the text
// does not have.
func (m *marks) list(cells []*tables.Entry) string {
	var b strings.Builder
	for _, e := range cells {
		name := placeOf(e)
		if e.Kind == tables.Problem {
			name = e.Printed
		}
		is, bounds := m.found(e)
		if number, ok := strings.CutSuffix(is, ")"); ok {
			is = fmt.Sprintf("%s; %s)", number, bounds)
		} else {
			is = fmt.Sprintf("%s (%s)", is, bounds)
		}
		fmt.Fprintf(&b, "\n- %s: %s%s", name, is, m.differing(e))
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n"
}

// differing returns the mark of a cell that does not agree, with the number of its reason.
func (m *marks) differing(e *tables.Entry) string {
	switch {
	case e.Verdict == tables.Differs:
		return " ≠" + m.note(e)
	case e.Verdict == tables.NotPrinted, e.Verdict == tables.Agrees && e.Expected:
		return m.note(e)
	}
	return ", " + verdictOf(e) + m.note(e)
}

// The places of cells in a section.
const (
	different = iota
	open
	agreeing
	unprinted
)

// place returns the position of a cell in its row.
func place(e *tables.Entry) int {
	switch {
	case e.Verdict == tables.Differs || !e.Expected:
		return different
	case e.Verdict == tables.Inconclusive:
		return open
	case e.Verdict == tables.NotPrinted:
		return unprinted
	}
	return agreeing
}

// why returns the reasons of cells that differ or are open, by the numbers of their notes, with the runs that show
// them.
func (m *marks) why(cells []*tables.Entry) string {
	var b strings.Builder
	for i, reason := range m.reasons {
		var runs []string
		for _, e := range cells {
			if !remarkable(e) || why(e) != reason {
				continue
			}
			run := m.of(e.Command)
			if e.Steps > 0 {
				run = fmt.Sprintf("%s (%s)", console.Counted(e.Steps, "step", "steps"), run)
			}
			runs = append(runs, run)
		}
		fmt.Fprintf(&b, "\n%d. %s. Shown by: %s.", i+1, reason, strings.Join(unique(runs), ", "))
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
