package table

import (
	"fmt"
	"strings"

	"contend/checker/tables"
	"contend/checker/verify/console"
)

// page is a table as a page in Markdown.
type page struct {
	rows []*pageRow
}

// pageRow is a section of it: a row, or a table that is a matrix.
type pageRow struct {
	first    *tables.Entry
	matrix   *matrix // or nil
	cells    strings.Builder
	remarks  strings.Builder
	problems strings.Builder
}

func (p *page) add(e *tables.Entry) {
	if isMatrix(e) {
		p.addToMatrix(e)
		return
	}
	if len(p.rows) == 0 || p.rows[len(p.rows)-1].first.Row != e.Row {
		p.rows = append(p.rows, &pageRow{first: e})
	}
	row := p.rows[len(p.rows)-1]
	if e.Kind == tables.Problem {
		fmt.Fprintf(&row.problems, "- %s: **%s** is %s, in %s: `%s`\n", e.Printed, e.Name, e.Claims[0].Verdict, console.Counted(e.Steps, "step", "steps"), e.Command)
		return
	}
	fmt.Fprintf(&row.cells, "| %s | %s | %s | %s | %s | %s |\n", e.Name, e.When, orNone(e.Printed), computed(e), verdictOf(e), bounds(e))
	if remarkable(e) {
		fmt.Fprintf(&row.remarks, "- %s: %s. ", placeOf(e), why(e))
		if e.Steps > 0 {
			fmt.Fprintf(&row.remarks, "A run of %s shows it: ", console.Counted(e.Steps, "step", "steps"))
		}
		fmt.Fprintf(&row.remarks, "`%s`\n", shownAgain(e))
	}
}

func (p *page) addToMatrix(e *tables.Entry) {
	last := len(p.rows) - 1
	if last < 0 || p.rows[last].matrix == nil || p.rows[last].matrix.table != e.Of.Table {
		p.rows = append(p.rows, &pageRow{first: e, matrix: &matrix{table: e.Of.Table}})
		last++
	}
	p.rows[last].matrix.add(e)
}

// shownAgain is the command that finds again what an entry says.
func shownAgain(e *tables.Entry) string {
	return strings.ReplaceAll(e.Command, "`", "")
}

const pageHead = `# Tables

What texts print about locks, elections and multicasts, held against what searches find. This page is made by

    verify table --markdown > docs/tables.md

Each number is the least and the most over **all runs** of a configuration, found by an exhaustive search at each of the
sizes that stand beside it; the formula is the simplest that fits them (a constant, a·N, a·(N − 1), a·N + b,
a·N² + b·N + c), and is there only if there are more sizes than it has coefficients. Messages of an entry and its exit are
all that are sent on behalf of a passage, also after it, whether they arrive or not. Delays are messages one after another: the longest chain that is
sent after the request, for the client delay, or after the exit, for the synchronization delay, and that ends at the entry;
a chain may begin at any node, and what was in flight before belongs to none. *In time* they are ticks, where a message takes one
tick at most and all else takes none; their most is the delay as it is usually defined, and their least says nothing, as
messages may be fast. The two are not the same: many fast messages may follow one another while a slow one is under way, and
what was sent before the request or the exit takes time after it. *One process asks* has the others take part
and never ask. Messages per election are those of a run in which one process initiates once; sequential ones are the longest
chain after that to the last decision. All N are up, but where *N counts a crashed one*, the coordinator for which another is
sought, of which the lecture prints nothing. Properties are verdicts on the claims of these names, of all runs of each configuration that the last column
gives, in the form of an argument of ` + "`verify check`" + `; of a number that column has the configuration of the largest size.
Processes do not fail and messages arrive, unless it says otherwise.

*Agrees* means that each number found is what the formula printed comes to, or each claim has the verdict printed, within
these bounds; where a text can be read in several ways, in the reading that makes it right, and the others stand beside it.
*Differs (known)* means that it is not so, and the remark below says why. *Inconclusive* means that not all runs were looked
at. A dash is a cell that the text does not have.
`

func (p *page) String() string {
	var b strings.Builder
	b.WriteString(pageHead)
	for _, r := range p.rows {
		if r.matrix != nil {
			b.WriteString(r.matrix.markdown())
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s, in %s.\n\n| cell | when | printed | computed | verdict | bounds |\n|---|---|---|---|---|---|\n%s",
			r.first.Row, r.first.Title, r.first.Source, r.cells.String())
		if r.remarks.Len() > 0 {
			fmt.Fprintf(&b, "\n%s", r.remarks.String())
		}
		if r.problems.Len() > 0 {
			fmt.Fprintf(&b, "\nProblems that the text names, each shown by a run:\n\n%s", r.problems.String())
		}
	}
	return b.String()
}
