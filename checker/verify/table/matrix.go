package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/checker"
	"contend/checker/tables"
	"contend/checker/verify/console"
	"contend/model/printed"
)

// matrix has the cells of a table whose rows are lines, named by their titles: a column for each
// property, and one grid for each condition.
type matrix struct {
	table *printed.Table
	cells []*tables.Entry
}

func isMatrix(e *tables.Entry) bool { return e.Of != nil && e.Of.Table != nil && e.Of.Table.Matrix }

func (m *matrix) add(e *tables.Entry) { m.cells = append(m.cells, e) }

// each lists what cells have, each once, in the order in which it comes.
func (m *matrix) each(of func(*tables.Entry) string) []string {
	var all []string
	for _, e := range m.cells {
		all = append(all, of(e))
	}
	return unique(all)
}

func whenOf(e *tables.Entry) string { return e.When }
func rowOf(e *tables.Entry) string  { return e.Row }
func nameOf(e *tables.Entry) string { return e.Name }

func protocolOf(e *tables.Entry) string { return e.Protocol }

// columns are those of a condition.
func (m *matrix) columns(when string) []string {
	var all []string
	for _, name := range slices.Concat(m.table.Columns, m.each(nameOf)) {
		if !slices.Contains(all, name) && slices.ContainsFunc(m.cells, func(e *tables.Entry) bool { return e.Name == name && e.When == when }) {
			all = append(all, name)
		}
	}
	return all
}

// grid are the lines of a condition, the first with the names of the columns.
func (m *matrix) grid(when string) [][]string {
	columns := m.columns(when)
	lines := [][]string{append([]string{""}, columns...)}
	for _, row := range m.each(rowOf) {
		line := append([]string{""}, slices.Repeat([]string{orNone(m.table.Missing)}, len(columns))...)
		known := false
		for _, e := range m.cells {
			if e.Row == row && e.When == when {
				line[0], line[1+slices.Index(columns, e.Name)], known = e.Title, cellOf(e), true
			}
		}
		if known {
			lines = append(lines, line)
		}
	}
	return lines
}

// cellOf is a cell in a word, and how it stands to what is printed.
func cellOf(e *tables.Entry) string {
	is := "yes"
	for _, r := range e.Claims {
		if r.Verdict == checker.Violated {
			is = "no"
			if r.Steps > 0 {
				is = fmt.Sprintf("no, %d", r.Steps)
			}
			break
		}
		if r.Verdict != checker.Holds {
			is = "open"
		}
	}
	switch {
	case e.Verdict == tables.Inconclusive: // though its claims may hold: no run put them to the test
		return "open"
	case e.Verdict == tables.Agrees && e.Expected:
		return is + " ="
	case e.Verdict == tables.Agrees || e.Verdict == tables.Differs:
		return is + " ≠"
	}
	return is
}

// text is the matrix for people; the runs are in a directory.
func (m *matrix) text(dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", m.table.Name, m.table.Title)
	for _, when := range m.each(whenOf) {
		lines := m.grid(when)
		lines[0][0] = when
		b.WriteString("\n" + aligned(lines))
	}
	fmt.Fprintf(&b, "\n  yes: holds in all runs at these sizes; no, N: violated by a shortest run of N steps, saved in %s; =: as the text says; ≠: not as the text says\n", dir)
	for _, e := range m.cells {
		if remarkable(e) {
			fmt.Fprintf(&b, "  %s, %s: %s: %s\n", e.Title, placeOf(e), verdictOf(e), why(e))
			if e.Trace != "" {
				fmt.Fprintf(&b, "    by a run of %s: %s\n", console.Counted(e.Steps, "step", "steps"), e.Trace)
			}
		}
	}
	return b.String()
}

// aligned writes lines with cells below each other.
func aligned(lines [][]string) string {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		out := ""
		for i, cell := range line {
			out += "  " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		}
		b.WriteString(strings.TrimRight(out, " ") + "\n")
	}
	return b.String()
}

// placeOf names a cell of a row.
func placeOf(e *tables.Entry) string {
	if e.When == "" {
		return e.Name
	}
	return e.Name + ", " + e.When
}

// markdown is the section of the matrix on the page: what differs, the grids, of which the first is
// open, and the bounds.
func (m *matrix) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n%s", m.table.Title, m.table.About, m.remarks())
	for i, when := range m.each(whenOf) {
		lines := m.grid(when)
		lines[0][0] = "*" + when + "*"
		var g strings.Builder
		fmt.Fprintf(&g, "| %s |\n|%s\n", strings.Join(lines[0], " | "), strings.Repeat("---|", len(lines[0])))
		for _, line := range lines[1:] {
			fmt.Fprintf(&g, "| %s |\n", strings.Join(line, " | "))
		}
		if i == 0 {
			b.WriteString("\n" + g.String())
		} else {
			b.WriteString(folded(when, g.String()))
		}
	}
	b.WriteString(folded("Bounds", m.listed()))
	return b.String()
}

// remarks say of cells what there is to say: a reason once, for all its cells.
func (m *matrix) remarks() string {
	of := map[string][]string{}
	var whys []string
	for _, e := range m.cells {
		if remarkable(e) {
			of[why(e)] = append(of[why(e)], "*"+e.Title+", "+placeOf(e)+"*")
			whys = append(whys, why(e))
		}
	}
	var b strings.Builder
	for _, reason := range unique(whys) {
		fmt.Fprintf(&b, "- %s: %s.\n", strings.Join(of[reason], ", "), reason)
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nCells that differ or are open:\n\n" + b.String()
}

// listed lists the bounds by protocol and condition.
func (m *matrix) listed() string {
	var b strings.Builder
	b.WriteString("Each is an argument of `verify check`; add `--claim NAME` for the claim of the cell.\n\n")
	for _, protocol := range m.each(protocolOf) {
		for _, when := range m.each(whenOf) {
			if all := m.bounds(protocol, when); len(all) > 0 {
				fmt.Fprintf(&b, "- %s, %s: `%s`\n", protocol, when, strings.Join(all, "`; `"))
			}
		}
	}
	return b.String()
}

// bounds are those of the cells of a protocol under a condition.
func (m *matrix) bounds(protocol, when string) []string {
	var all []string
	for _, e := range m.cells {
		if e.Protocol == protocol && e.When == when {
			for _, r := range e.Claims {
				all = append(all, boundsOf(r.Command))
			}
		}
	}
	return unique(all)
}
