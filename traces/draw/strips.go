package draw

import (
	"iter"
)

// A Strip is a part of a diagram that is as wide as it: the rows From up to, but without, To.
type Strip struct {
	From, To int
	Tall     int // in pixels
	SVG      string
}

// mostMarks is how many arrows a strip has at most, and how many bars.
const mostMarks = 400

// Strips draws the diagram in strips of so many rows, which make the whole when they lie under one
// another: pages of long runs draw what is in view. Of more arrows and bars than an eye can tell
// apart, a strip has those first that begin or end in it, and says how many it left out. So what is
// drawn of a run grows with its length, however many messages are in flight all the time.
func (d *Diagram) Strips(rows int) iter.Seq[Strip] {
	return func(yield func(Strip) bool) {
		p := newPicture(d, true)
		arrows := shared(p.arrows, len(d.Rows), rows, labelled.reach)
		bars := shared(d.Bars, len(d.Rows), rows, func(b Bar) (from, to int) { return b.From, b.To })
		for k := range arrows {
			if !yield(p.strip(k*rows, min((k+1)*rows, len(d.Rows)), bars[k], arrows[k])) {
				return
			}
		}
	}
}

// reach are the rows between which a message is drawn: one in flight at the end beside the row that sent it.
func (a labelled) reach() (from, to int) {
	if a.Fate == InFlight {
		return a.Sent, a.Sent
	}
	return min(a.Sent, a.End), max(a.Sent, a.End)
}

// strip draws some of the rows.
func (p *picture) strip(from, to int, bars share[Bar], arrows share[labelled]) Strip {
	p.Reset()
	end := p.end
	if to < len(p.ys) {
		end = p.ys[to] - rowHeight/2
	}
	p.up = p.ys[from] - rowHeight/2
	tall := end - p.up
	p.begin(tall, "the diagram, from step %d to %d", from, to-1)
	p.marks(span{from, to, 0, tall}, bars.has, arrows.has)
	if left := bars.left + arrows.left; left > 0 {
		p.printf(`<text class="soft" x="%d" y="12">and %d more messages and bars, which are not drawn here</text>`+"\n", margin+stepsWidth, left)
	}
	p.printf("</svg>\n")
	return Strip{from, to, int(tall), p.String()}
}

// begin begins a part of the diagram.
func (p *picture) begin(tall float64, says string, args ...any) {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="run" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="`, p.wide, tall, p.wide, tall)
	p.printf(says+`">`+"\n", args...)
}

// Head draws the names of the lanes, to stand above the strips, with the style of all parts.
func (d *Diagram) Head() string {
	p := newFrame(d, true)
	p.begin(p.namesTall, "the nodes")
	p.printf("<style>%s</style>\n", style)
	p.names(p.namesTall)
	p.printf("</svg>\n")
	return p.String()
}

// A share is what a strip has of the arrows or bars, and how many it left out.
type share[T any] struct {
	has  []T
	left int
}

// shared deals out what reaches from a row to a row, to the strips that it touches: to
// those with its ends first. It takes time in proportion to what reaches over how many strips.
func shared[T any](all []T, rows, each int, reach func(T) (from, to int)) []share[T] {
	strips := make([]share[T], (rows+each-1)/each)
	deal := func(k int, x T) {
		if s := &strips[k]; len(s.has) < mostMarks {
			s.has = append(s.has, x)
		} else {
			s.left++
		}
	}
	inside := func(x T) (from, to int) {
		from, to = reach(x)
		return max(from, 0), max(to, 0)
	}
	for _, x := range all {
		from, to := inside(x)
		deal(from/each, x)
		if to/each != from/each {
			deal(to/each, x)
		}
	}
	for _, x := range all {
		from, to := inside(x)
		for k := from/each + 1; k < to/each; k++ {
			deal(k, x)
		}
	}
	return strips
}
