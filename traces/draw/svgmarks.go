package draw

import (
	"fmt"
	"math"
	"slices"
)

// The CSS classes of fates and bars.
var (
	fates = [...]string{"arrived", "doubled", "repeated", "forged", "unheard", "lost", "flight"}
	bars  = [...]string{"operation", "section", "down", "alarm", "hold", "cut"}
)

// beside is the distance of a bar from its lane, by kind.
var beside = [...]float64{0, 0, 0, 11, -11, 0}

// broad is the width of a bar, by kind.
var broad = [...]float64{6, 14, 14, 2.5, 5, 0}

// bar draws a bar.
func (p *picture) bar(b Bar) {
	from, to := p.y(b.From), p.barEnd(b)
	x := p.x(b.Lane) + beside[b.Kind]
	class, title := bars[b.Kind], esc(b.title())
	switch b.Kind {
	case Cut:
	case Alarm, Hold:
		p.printf(`<path class="%s" d="M%.0f,%.0fV%.0f"><title>%s</title></path>`+"\n", class, x, from, to, title)
	default:
		p.printf(`<rect class="%s" x="%.0f" y="%.0f" width="%.0f" height="%.0f"><title>%s</title></rect>`+"\n", class, x-broad[b.Kind]/2, from, broad[b.Kind], to-from, title)
	}
}

// title returns the title of a bar.
func (b Bar) title() string {
	if b.Label == b.Kind.String() {
		return b.Label
	}
	return b.Kind.String() + " " + b.Label
}

// shade shades the rows of a network partition.
func (p *picture) shade(b Bar) {
	from, to := p.y(b.From), p.barEnd(b)
	p.printf(`<rect class="cut" x="%.0f" y="%.0f" width="%.0f" height="%.0f"><title>%s</title></rect>`+"\n",
		p.laneX-p.lane/2, from, p.lane*float64(len(p.d.Lanes)), to-from, esc("cut off: "+b.Label))
}

// drawMarked draws the mark of a row that the explanation names.
func (p *picture) drawMarked(row int, y float64) {
	if slices.Contains(p.d.Marked, row) {
		p.printf(`<rect class="told" x="%d" y="%.0f" width="4" height="%d"><title>spoken of above</title></rect>`+"\n", margin, y-rowHeight/2+2, rowHeight-4)
	}
}

// A way is the straight line of a message.
type way struct{ x0, y0, x1, y1 float64 }

// point returns the point at a fraction of the line.
func (w way) point(fraction float64) (x, y float64) {
	return w.x0 + (w.x1-w.x0)*fraction, w.y0 + (w.y1-w.y0)*fraction
}

// The drawn part of a message that does not arrive.
const (
	lostAt    = .7
	flownFor  = .8
	flownDown = 16 // how far below its row a message in flight ends
	stubLong  = 26
	loopOut   = 26 // how far the loop of a message to itself extends
)

// message opens the group of a message's elements, with the attributes for its steps.
func (p *picture) message(a labelled, class string, letters int) {
	first, end := p.d.Rows[0].Step, ""
	if a.Fate == InFlight {
		class += " flying"
	} else {
		end = fmt.Sprintf(` data-end="%d"`, a.End+first)
	}
	p.printf(`<g class="%s" data-sent="%d"%s><title>%s</title>`, class, a.Sent+first, end, esc(short(a.title(p.d), letters)))
}

// arrow draws a message. A message in flight at the end is a stub that a page can extend.
func (p *picture) arrow(a labelled) {
	class, w := fates[a.Fate], p.way(a.Arrow)
	p.message(a, "message", mostTitle)
	switch {
	case a.Fate == InFlight:
		p.stub(w)
	case a.From == a.To:
		p.loop(a.Arrow, w, class)
	default:
		p.printf(`<path class="way %s" d="M%.1f,%.1fL%.1f,%.1f"/>`, class, w.x0, w.y0, w.x1, w.y1)
		p.tip(a.Arrow, w, class)
	}
	p.printf("</g>\n")
}

// stub draws the beginning of a message in flight, with an open head.
func (p *picture) stub(w way) {
	length := math.Hypot(w.x1-w.x0, w.y1-w.y0)
	x, y := w.point(min(stubLong/length, 1))
	p.printf(`<path class="way flight stub" d="M%.1f,%.1fL%.1f,%.1f"/>`, w.x0, w.y0, x, y)
	if p.page {
		p.printf(`<path class="way flight whole" d="M%.1f,%.1fL%.1f,%.1f"/>`, w.x0, w.y0, w.x1, w.y1)
		p.vane(w, w.x1, w.y1, " whole")
	}
	p.vane(w, x, y, " stub")
}

// vane draws an open head.
func (p *picture) vane(w way, x, y float64, class string) {
	const long, half = 5, 3
	length := math.Hypot(w.x1-w.x0, w.y1-w.y0)
	dx, dy := (w.x1-w.x0)/length, (w.y1-w.y0)/length
	bx, by := x-dx*long, y-dy*long
	p.printf(`<path class="vane%s" d="M%.1f,%.1fL%.1f,%.1fL%.1f,%.1f"/>`, class, bx-dy*half, by+dx*half, x, y, bx+dy*half, by-dx*half)
}

// labels draws the labels of a message, above all lines.
func (p *picture) labels(a labelled) {
	if !slices.ContainsFunc(a.labels, func(l label) bool { return p.visible(l.y - p.up) }) {
		return
	}
	const letters = 300
	p.message(a, "message words", letters)
	for _, l := range a.labels {
		if p.visible(l.y - p.up) {
			p.printf(`<text class="%s" x="%.0f" y="%.0f">%s</text>`, l.class, l.x, l.y-p.up, esc(l.text))
		}
	}
	p.printf("</g>\n")
}

// way returns the line of a message, shortened if it does not arrive.
func (p *picture) way(a Arrow) way {
	w := way{p.x(a.From), p.y(a.Sent), p.x(a.To), p.y(a.End)}
	switch {
	case a.Fate == InFlight && a.From == a.To:
		w.x1, w.y1 = w.x0+loopOut, w.y0+flownDown/2
	case a.Fate == InFlight:
		w.y1 = w.y0 + flownDown
		w.x1, w.y1 = w.point(flownFor)
	case a.Fate == Lost && a.From != a.To:
		w.x1, w.y1 = w.point(lostAt)
	}
	return w
}

// title returns a sentence on a message.
func (a Arrow) title(d *Diagram) string {
	says := a.Label + " from " + d.Lanes[a.From].Name + " to " + d.Lanes[a.To].Name + " " + a.Fate.String()
	if a.Delay != "" {
		says += ", after " + a.Delay + " ticks"
	}
	if a.By != "" {
		says += "; the adversary's " + a.By
	}
	if a.Honest != "" {
		says += "; " + a.Honest
	}
	return says
}

// tip draws the end of a message: a head if it arrives, and a cross if not.
func (p *picture) tip(a Arrow, w way, class string) {
	switch {
	case !p.visible(w.y1):
	case a.Fate == Lost || a.Fate == Unheard:
		p.printf(`<path class="cross" d="M%.1f,%.1fl8,8m0,-8l-8,8"/>`, w.x1-4, w.y1-4)
	default:
		const long, half = 9, 3.5
		length := math.Hypot(w.x1-w.x0, w.y1-w.y0)
		dx, dy := (w.x1-w.x0)/length, (w.y1-w.y0)/length
		bx, by := w.x1-dx*long, w.y1-dy*long
		p.printf(`<path class="head %s" d="M%.1f,%.1fL%.1f,%.1fL%.1f,%.1fZ"/>`, class, w.x1, w.y1, bx-dy*half, by+dx*half, bx+dy*half, by-dx*half)
	}
}

// loop draws a message of a node to itself, beside its lane.
func (p *picture) loop(a Arrow, w way, class string) {
	x := w.x0 + loopOut
	p.printf(`<path class="way %s" d="M%.1f,%.1fC%.1f,%.1f %.1f,%.1f %.1f,%.1f"/>`, class, w.x0, w.y0, x, w.y0, x, w.y1, w.x1, w.y1)
	p.tip(a, way{x, w.y1, w.x1, w.y1}, class)
}
