package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/checker"
	"contend/checker/verify/console"
	"contend/lab/tables"
	"contend/model/printed"
)

// A matrix has the cells of a table with titled lines: a column for each property, and a grid for each condition.
type matrix struct {
	table *printed.Table
	cells []*tables.Entry
}

func isMatrix(e *tables.Entry) bool {
	return e.Comparison != nil && e.Comparison.Table != nil && e.Comparison.Table.Matrix
}

func (m *matrix) add(e *tables.Entry) { m.cells = append(m.cells, e) }

// each returns the distinct values of cells, in order of appearance.
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

// columns returns the columns of a condition.
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

// cellOf returns the result of a cell in a word, and its relation to the printed one.
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

// markdown returns the section of the matrix: differences, the grids with the first one open, and the bounds.
func (m *matrix) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n%s", m.table.Title, m.table.About, m.remarks())
	texts, whens := m.grids()
	for i, text := range texts {
		title := strings.Join(whens[text], "; ")
		if i == 0 {
			b.WriteString("\n*" + title + "*\n\n" + text)
		} else {
			b.WriteString(folded(title, text))
		}
	}
	b.WriteString(folded("Bounds", m.listed()))
	return b.String()
}

// grids returns the distinct grids, each with its conditions.
func (m *matrix) grids() (texts []string, whens map[string][]string) {
	whens = map[string][]string{}
	for _, when := range m.each(whenOf) {
		for _, lines := range m.blocks(when) {
			var g strings.Builder
			fmt.Fprintf(&g, "| %s |\n|%s\n", strings.Join(lines[0], " | "), strings.Repeat("---|", len(lines[0])))
			for _, line := range lines[1:] {
				fmt.Fprintf(&g, "| %s |\n", strings.Join(line, " | "))
			}
			texts = append(texts, g.String())
			whens[g.String()] = append(whens[g.String()], when)
		}
	}
	return unique(texts), whens
}

// blocks returns the connected parts of the grid of a condition: lines and columns with common cells are in one.
func (m *matrix) blocks(when string) [][][]string {
	var parts [][]*tables.Entry
	for _, e := range m.cells {
		if e.When != when {
			continue
		}
		part, others := []*tables.Entry{}, [][]*tables.Entry{}
		for _, p := range parts {
			if slices.ContainsFunc(p, func(o *tables.Entry) bool { return o.Row == e.Row || o.Name == e.Name }) {
				part = append(part, p...)
			} else {
				others = append(others, p)
			}
		}
		parts = append(others, append(part, e))
	}
	var all [][][]string
	for _, part := range parts {
		all = append(all, (&matrix{table: m.table, cells: part}).grid(when))
	}
	return all
}

// remarks returns the reasons of cells, each once for all its cells.
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

// assuming is the flag that tests claims whose assumptions are not met.
var assuming = setting{flag: "--assume-anyway"}

// listed returns the bounds by condition, with the common bounds above them.
func (m *matrix) listed() string {
	anyway := ""
	if slices.ContainsFunc(m.cells, func(e *tables.Entry) bool {
		return slices.ContainsFunc(e.Claims, func(r tables.Result) bool { return strings.Contains(r.Command, assuming.flag) })
	}) {
		anyway = " Add `" + assuming.flag + "` where `check` says that what a claim assumes is not met."
	}
	var groups [][]bound
	of := map[string][][]bound{} // by condition
	for _, when := range m.each(whenOf) {
		for _, protocol := range m.each(protocolOf) {
			if group := m.bounds(protocol, when); len(group) > 0 {
				groups, of[when] = append(groups, group), append(of[when], group)
			}
		}
	}
	l := listing{everywhere: shared(slices.Concat(groups...)), sizes: varying(groups)}
	var sizes [][]string
	for _, group := range groups {
		sizes = append(sizes, sizesOf(group, l.sizes))
	}
	l.first = begin(sizes)
	var b strings.Builder
	b.WriteString("Arguments of `verify check`")
	if len(l.everywhere) > 0 {
		fmt.Fprintf(&b, " with `%s`", bound{settings: l.everywhere})
	}
	if len(l.first) > 0 {
		fmt.Fprintf(&b, " and each of %s", quoted(l.first))
	}
	fmt.Fprintf(&b, ".%s\n\n", anyway)
	var lists []string
	whens := map[string][]string{}
	for _, when := range m.each(whenOf) {
		list := l.of(of[when])
		lists, whens[list] = append(lists, list), append(whens[list], when)
	}
	for _, list := range unique(lists) {
		fmt.Fprintf(&b, "- %s%s\n", strings.Join(whens[list], "; "), list)
	}
	return b.String()
}

// A listing has the common bounds of a matrix: settings, the flags of sizes, and the common first sizes.
type listing struct {
	everywhere []setting
	sizes      []string
	first      []string
}

// of returns the groups of a condition: their common settings, and the command of each.
func (l listing) of(groups [][]bound) string {
	var b strings.Builder
	_, common := bound{settings: shared(slices.Concat(groups...))}.without(l.everywhere).parts(l.sizes)
	if len(groups) == 1 {
		common.settings = nil
	}
	if len(common.settings) > 0 {
		fmt.Fprintf(&b, ", with `%s`", common)
	}
	for i, group := range groups {
		_, command := group[0].without(l.everywhere).without(common.settings).parts(l.sizes)
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString("`" + command.String() + "`")
		if more := sizesOf(group, l.sizes)[len(l.first):]; len(more) > 0 {
			fmt.Fprintf(&b, " (also %s)", quoted(more))
		}
	}
	return b.String()
}

// sizesOf returns the named settings of each of the bounds of a group. The bounds are equal in their other
// settings.
func sizesOf(group []bound, names []string) []string {
	var sizes []string
	for _, b := range group {
		size, _ := b.parts(names)
		sizes = append(sizes, size.String())
	}
	return sizes
}

// bounds returns the bounds of a protocol's cells under a condition, without the flag that its claims may need.
func (m *matrix) bounds(protocol, when string) []bound {
	var all []string
	for _, e := range m.cells {
		if e.Protocol == protocol && e.When == when {
			for _, r := range e.Claims {
				all = append(all, parsed(boundsOf(r.Command)).without([]setting{assuming}).String())
			}
		}
	}
	var bounds []bound
	for _, b := range unique(all) {
		bounds = append(bounds, parsed(b))
	}
	return bounds
}
