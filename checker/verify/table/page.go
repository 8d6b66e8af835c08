package table

import (
	"fmt"
	"strings"

	"contend/lab/tables"
)

// page is a table as a page in Markdown.
type page struct {
	sections []*section
}

func (p *page) add(e *tables.Entry) {
	last := len(p.sections) - 1
	switch {
	case isMatrix(e):
		if last < 0 || p.sections[last].matrix == nil || p.sections[last].matrix.table != e.Comparison.Table {
			p.sections = append(p.sections, &section{matrix: &matrix{table: e.Comparison.Table}})
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

What texts print about locks, elections and multicasts, beside what searches find. This page is made by

    verify table --markdown > docs/tables.md

How to read a table:

- *Printed* is what the text says.
- *Computed*, of a number, is the least and the most over **all runs** at each size, found by exhaustive search. The formula is the simplest
  that fits (a constant, a·N, a·(N − 1), a·N + b, a·N² + b·N + c), and is there only if there are more sizes than coefficients. Of a
  property, it is the verdict on its claims.
- *≠*: the cell differs, for the reason with the number beside it. All others agree within the bounds: each number is what the printed formula
  gives, or each claim has the printed verdict. If a text can be read in several ways, each reading has a row.
- Below are the problems that the text names, each with a claim that it breaks and the steps of a run that shows it, and cells that are *not printed*.
- *Bounds* are letters of the folded list. Its first line is an argument of ` + "`verify check`" + `, and each letter adds flags, or names a
  variant to use in place of the protocol; of a flag that comes twice the last counts. Add ` + "`--costs`" + ` for a number, or
  ` + "`--claim NAME`" + ` for a claim. A number has the bounds of its largest size.

What the numbers count:

- *Messages per entry and exit* are all that are sent for a passage, also after it, whether they arrive or not.
- *Delays* are messages one after another: the longest chain that is sent after the request (client delay, when nobody else is inside or
  waits) or after the exit (synchronization delay, when one waits) and that ends at the entry. A chain may begin at any node.
- Delays *in time* are ticks: a message takes at most one, and everything else none. The most is the delay as it is usually defined; the
  least says nothing. The two kinds differ: many fast messages can follow one another while a slow one is in flight, and what was sent before the
  request or the exit takes time after it.
- *One process asks*: the others take part, and never ask.
- *Messages per election* are those of a run in which one process initiates once. *Sequential messages* are the longest chain from
  there to the last decision. All N are up, except where *N counts a crashed one*: the coordinator that the election replaces.
- Processes do not fail and messages arrive, unless a row says otherwise.
`

// source returns the source of the first row. The page names it once; rows with another source name their own.
func (p *page) source() string {
	for _, s := range p.sections {
		if s.matrix == nil {
			return s.cells[0].Source
		}
	}
	return ""
}

func (p *page) String() string {
	var b strings.Builder
	b.WriteString(pageHead)
	source := p.source()
	if source != "" {
		fmt.Fprintf(&b, "\nThe text is: %s. Other sections name theirs.\n", source)
	}
	for _, s := range p.sections {
		if s.matrix != nil {
			b.WriteString(s.matrix.markdown())
		} else {
			b.WriteString(s.markdown(source))
		}
	}
	return b.String()
}
