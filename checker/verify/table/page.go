package table

import (
	"strings"

	"contend/checker/tables"
)

// page is a table as a page in Markdown.
type page struct {
	sections []*section
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
