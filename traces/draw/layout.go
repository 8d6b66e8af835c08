package draw

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// The heights of rows follow one of two rules. By steps each row is as far below the one before as
// text needs, and a little farther where time passes. To scale, a tick is everywhere as tall: as
// tall as makes the least wait between two rows two rows high. Then rows of one instant stand below
// one another beside a stroke that says so, and a wait that would be taller than a few rows is
// shortened, with a mark and its length. Either way what is said below a row is in addition.
const (
	perTick  = 10            // by steps, rows are further apart by as much for each tick
	mostWait = 90            // but no further than that
	shortest = 2 * rowHeight // to scale, the least wait that there is
	longest  = 9 * rowHeight // and what is longer is shortened
)

// place gives each row its height, from a height on.
func (p *picture) place(y float64) {
	p.perTick = perTickOf(p.d.Rows)
	for i, r := range p.d.Rows {
		if i > 0 {
			y += p.apart(i)
		}
		p.ys = append(p.ys, y)
		y += p.extra(i) + float64(headHeight*len(bandsOf(r)))
		p.below = append(p.below, y)
	}
	p.end = y + rowHeight/2
}

// extra is by how much a row is taller than others, for its words.
func (p *picture) extra(row int) float64 {
	const below = 3
	if more := len(p.words[row]) - linesOnPage; more > 0 {
		return float64(lineHeight*more + below)
	}
	return 0
}

// apart is how far a row is below what stands above it.
func (p *picture) apart(row int) float64 {
	ticks := max(p.d.Rows[row].At-p.d.Rows[row-1].At, 0)
	if !p.d.Scaled {
		return rowHeight + math.Round(min(perTick*ticks, mostWait))
	}
	return max(min(math.Round(p.perTick*ticks), longest), rowHeight)
}

// shortened reports whether the wait before a row is not drawn to scale.
func (p *picture) shortened(row int) bool {
	return p.d.Scaled && row < len(p.d.Rows) && p.perTick*(p.d.Rows[row].At-p.d.Rows[row-1].At) > longest
}

// Rule chooses what the heights of the rows are: "time", to scale, or "steps"; "" leaves it as it is.
func (d *Diagram) Rule(heights string) error {
	switch {
	case heights == "time" && !d.Timed:
		return fmt.Errorf("heights is time, but the run is untimed")
	case heights != "" && heights != "time" && heights != "steps":
		return fmt.Errorf("heights is %.40q, but must be time or steps", heights)
	}
	d.Scaled = heights == "time" || heights == "" && d.Scaled
	return nil
}

// perTickOf is how tall a tick is to scale.
func perTickOf(rows []Row) float64 {
	least := math.Inf(1)
	for i, r := range rows {
		if i > 0 && r.At > rows[i-1].At {
			least = min(least, r.At-rows[i-1].At)
		}
	}
	return shortest / least
}

// readable reports whether a run can be drawn to scale so that it says more than by steps: time
// passes, and at least half of the waits need not be shortened.
func readable(rows []Row) bool {
	perTick := perTickOf(rows)
	waits, short := 0, 0
	for i, r := range rows {
		if i > 0 && r.At > rows[i-1].At {
			waits++
			if perTick*(r.At-rows[i-1].At) > longest {
				short++
			}
		}
	}
	return waits > 0 && 2*short <= waits
}

// moment is the height of an instant between a row and the next, which is later.
func (p *picture) moment(row int, at float64) float64 {
	from, to := p.d.Rows[row].At, p.d.Rows[row+1].At
	return p.below[row] + (at-from)/(to-from)*(p.ys[row+1]-p.below[row]) - p.up
}

// axis draws the time below a row, to scale: strokes at whole ticks, one along the rows of an
// instant, and a mark where a wait is shortened.
func (p *picture) axis(row int) {
	if !p.d.Scaled || row+1 >= len(p.ys) {
		return
	}
	x := p.axisAt()
	from, to := p.y(row), p.y(row+1)
	rows := p.d.Rows
	switch {
	case rows[row+1].At <= rows[row].At:
		p.printf(`<path class="instant" d="M%.0f,%.0fV%.0f"/>`+"\n", x, from, to)
	case p.shortened(row + 1):
		mid := (p.below[row] - p.up + to) / 2
		p.printf(`<path class="axis" d="M%.0f,%.0fV%.0fM%.0f,%.0fV%.0f"/>`+"\n", x, from, mid-6, x, mid+6, to)
		p.printf(`<path class="gap" d="M%.0f,%.0fl12,-5M%.0f,%.0fl12,-5"/>`+"\n", x-6, mid-1, x-6, mid+7)
		p.printf(`<text class="soft right" x="%.0f" y="%.0f">+%s</text>`+"\n", x-10, mid+4, strconv.FormatFloat(rows[row+1].At-rows[row].At, 'g', 4, 64))
		for i := range p.d.Lanes {
			p.printf(`<path class="gap" d="M%.0f,%.0fl12,-5M%.0f,%.0fl12,-5"/>`+"\n", p.x(i)-6, mid-1, p.x(i)-6, mid+7)
		}
	default:
		p.printf(`<path class="axis" d="M%.0f,%.0fV%.0f"/>`+"\n", x, from, to)
		p.ticks(row)
	}
}

// axisAt is where the axis of time stands.
func (p *picture) axisAt() float64 { return margin + stepsWidth + timesWidth - 4 }

// ticks marks whole ticks between a row and the next, and names those that have room.
func (p *picture) ticks(row int) {
	const least = 14
	every := 1.0
	for k := 0; every*p.perTick < least; k++ {
		every *= []float64{2, 2.5, 2}[k%3]
	}
	rows := p.d.Rows
	for t := (math.Floor(rows[row].At/every) + 1) * every; t < rows[row+1].At; t += every {
		y := p.moment(row, t)
		p.printf(`<path class="axis" d="M%.0f,%.1fh5"/>`+"\n", p.axisAt(), y)
		if y-(p.below[row]-p.up) > least && p.y(row+1)-y > least {
			p.printf(`<text class="soft right" x="%.0f" y="%.1f">%s</text>`+"\n", p.axisAt()-8, y+4, strconv.FormatFloat(t, 'f', -1, 64))
		}
	}
}

// A band is a line below a row that goes across the picture.
type band struct {
	class, text string
}

// bandsOf are those below a row: which claims it breaks, and its marks.
func bandsOf(r Row) (all []band) {
	for _, why := range r.Broken {
		all = append(all, band{"broken", "✗ " + why})
	}
	for _, m := range r.Marks {
		all = append(all, [...]band{{"point", "⊘ " + m.Text}, {"turn", "↻ " + m.Text + ":"}, {"turn", "↻ " + m.Text}}[m.Kind])
	}
	return all
}

// says are the classes of the texts of bands.
var says = map[string]string{"broken": "why", "point": "why", "turn": "again"}

// bandAt is the height at which a band below a row begins.
func (p *picture) bandAt(row, band int) float64 {
	return p.ys[row] - p.up + rowHeight/2 + p.extra(row) + float64(headHeight*band) + 1
}

// bandTall is the height of a band.
const bandTall = headHeight - 3

// bands colours the bands below a row.
func (p *picture) bands(row int) {
	for k, b := range bandsOf(p.d.Rows[row]) {
		p.printf(`<rect class="%s" x="%d" y="%.0f" width="%.0f" height="%d"/>`+"\n", b.class, margin, p.bandAt(row, k), p.wide-2*margin, bandTall)
	}
}

// bandTexts writes what is said below a row, above all lines and bars, on a ground that hides them.
func (p *picture) bandTexts(row int) {
	for k, b := range bandsOf(p.d.Rows[row]) {
		const perBold = 7.2
		y, room := p.bandAt(row, k), p.wide-2*margin-2*bandSpace
		wide := min(float64(utf8.RuneCountInString(b.text))*perBold, room)
		for _, class := range []string{"ground", b.class + " flat"} {
			p.printf(`<rect class="%s" x="%d" y="%.0f" width="%.0f" height="%d"/>`+"\n", class, margin+bandSpace-2, y+2, wide+4, bandTall-4)
		}
		p.printf(`<text class="%s" x="%d" y="%.0f">`, says[b.class], margin+bandSpace, y+14)
		p.cut(b.text, int(room/perBold))
	}
}

// bandSpace is what lies before the text of a band.
const bandSpace = 6

// turn draws the loop of a lasso along the margin: from its last row back to its first.
func (p *picture) turn() {
	if p.d.Loop == 0 {
		return
	}
	const x, out = margin - 2, 9
	from, to := p.y(p.d.Loop)-6, p.y(len(p.ys)-1)+6
	p.printf(`<path class="loop" d="M%d,%.0fh-%dV%.0fh%d"><title>%s</title></path>`+"\n", x, to, out, from, out-3, esc("the run goes round here for ever"))
	p.printf(`<path class="looped" d="M%d,%.0fl-7,-4v8Z"/>`+"\n", x+2, from)
}

// firstOfInstant reports whether a row is the first at its time; by steps each counts as one.
func (p *picture) firstOfInstant(row int) bool {
	return !p.d.Scaled || row == 0 || p.d.Rows[row].At > p.d.Rows[row-1].At
}
