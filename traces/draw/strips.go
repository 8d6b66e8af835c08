package draw

import (
	"iter"
)

// A Strip is a part of a diagram, of its full width: the rows in [From, To).
type Strip struct {
	From, To int
	Height   int // the height in pixels
	SVG      string
}

// mostMarks is the largest number of arrows in a strip, and of bars.
const mostMarks = 400

// Strips draws the diagram in strips of the given number of rows. A page of a long run draws only the visible
// strips. A strip has at most 400 arrows and 400 bars, and the number of omitted ones. Arrows and bars that
// begin or end in the strip come first. So the size of a drawing is linear in the length of the run.
func (d *Diagram) Strips(rows int) iter.Seq[Strip] {
	return func(yield func(Strip) bool) {
		p := newPicture(d, true)
		arrows := distribute(p.arrows, len(d.Rows), rows, labelled.reach)
		bars := distribute(d.Bars, len(d.Rows), rows, func(b Bar) (from, to int) { return b.From, b.To })
		for k := range arrows {
			if !yield(p.strip(k*rows, min((k+1)*rows, len(d.Rows)), bars[k], arrows[k])) {
				return
			}
		}
	}
}

// reach returns the first and the last row of a message's drawing. A message in flight at the end is drawn only
// at the row that sent it.
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
	p.marks(span{from, to, 0, tall}, bars.drawn, arrows.drawn)
	if left := bars.omitted + arrows.omitted; left > 0 {
		p.printf(`<text class="soft" x="%d" y="12">and %d more messages and bars, which are not drawn here</text>`+"\n", margin+stepsWidth, left)
	}
	p.printf("</svg>\n")
	return Strip{from, to, int(tall), p.String()}
}

// begin begins a part of the diagram.
func (p *picture) begin(tall float64, title string, args ...any) {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="run" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="`, p.width, tall, p.width, tall)
	p.printf(title+`">`+"\n", args...)
}

// Head returns the names of the lanes as an SVG, for the top of a page with strips. It has the style of all
// parts.
func (d *Diagram) Head() string {
	p := newFrame(d, true)
	p.begin(p.namesTall, "the nodes")
	p.printf("<style>%s</style>\n", style)
	p.names(p.namesTall)
	p.printf("</svg>\n")
	return p.String()
}

// A share is the arrows or bars of a strip, with the number of those omitted.
type share[T any] struct {
	drawn   []T
	omitted int
}

// distribute distributes arrows or bars over the strips that they reach, first to the strips of their ends. The
// time is linear in the sum of the strips reached.
func distribute[T any](all []T, rows, each int, reach func(T) (from, to int)) []share[T] {
	strips := make([]share[T], (rows+each-1)/each)
	deal := func(k int, x T) {
		if s := &strips[k]; len(s.drawn) < mostMarks {
			s.drawn = append(s.drawn, x)
		} else {
			s.omitted++
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
