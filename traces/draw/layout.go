package draw

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// The heights of rows follow one of two rules. By steps, the distance between rows is the height of a text,
// plus a little for the time between them. To scale, each tick has the same height, such that the shortest wait
// is two rows high. Rows of one instant are then stacked beside a stroke, and a long wait is shortened, with a
// mark and its length. The bands below a row add to its height.
const (
	perTick  = 10            // by steps: the extra distance for each tick
	mostWait = 90            // by steps: the largest extra distance
	shortest = 2 * rowHeight // to scale: the height of the shortest wait
	longest  = 9 * rowHeight // to scale: the largest height of a wait
)

// place computes the heights of the rows, from y on.
func (p *picture) place(y float64) {
	p.perTick = tickHeight(p.d.Rows)
	for i, r := range p.d.Rows {
		if i > 0 {
			y += p.distance(i)
		}
		p.ys = append(p.ys, y)
		y += p.extra(i) + float64(headHeight*len(newBands(r)))
		p.below = append(p.below, y)
	}
	p.end = y + rowHeight/2
}

// extra returns the additional height of a row for its texts.
func (p *picture) extra(row int) float64 {
	const below = 3
	if more := len(p.words[row]) - linesOnPage; more > 0 {
		return float64(lineHeight*more + below)
	}
	return 0
}

// distance returns the distance of a row from the end of the previous one.
func (p *picture) distance(row int) float64 {
	ticks := max(p.d.Rows[row].At-p.d.Rows[row-1].At, 0)
	if !p.d.Scaled {
		return rowHeight + math.Round(min(perTick*ticks, mostWait))
	}
	return max(min(math.Round(p.perTick*ticks), longest), rowHeight)
}

// shortened reports whether the wait before a row is drawn shorter than to scale.
func (p *picture) shortened(row int) bool {
	return p.d.Scaled && row < len(p.d.Rows) && p.perTick*(p.d.Rows[row].At-p.d.Rows[row-1].At) > longest
}

// Rule selects the rule for the heights of rows: "time" for to scale, or "steps"; "" changes nothing. It
// returns an error for another value, and for "time" in an untimed run.
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

// tickHeight returns the height of a tick in a drawing to scale.
func tickHeight(rows []Row) float64 {
	least := math.Inf(1)
	for i, r := range rows {
		if i > 0 && r.At > rows[i-1].At {
			least = min(least, r.At-rows[i-1].At)
		}
	}
	return shortest / least
}

// readable reports whether a drawing to scale is readable: time passes, and at least half of the waits need not
// be shortened.
func readable(rows []Row) bool {
	perTick := tickHeight(rows)
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

// moment returns the height of an instant between a row and a later next row.
func (p *picture) moment(row int, instant float64) float64 {
	from, to := p.d.Rows[row].At, p.d.Rows[row+1].At
	return p.below[row] + (instant-from)/(to-from)*(p.ys[row+1]-p.below[row]) - p.up
}

// axis draws the time axis below a row of a drawing to scale: whole ticks, a stroke along the rows of an
// instant, and a mark at a shortened wait.
func (p *picture) axis(row int) {
	if !p.d.Scaled || row+1 >= len(p.ys) {
		return
	}
	x := p.axisX()
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

// axisX returns the position of the time axis.
func (p *picture) axisX() float64 { return margin + stepsWidth + timesWidth - 4 }

// ticks marks whole ticks between a row and the next, and labels the ticks that have room.
func (p *picture) ticks(row int) {
	const least = 14
	every := 1.0
	for k := 0; every*p.perTick < least; k++ {
		every *= []float64{2, 2.5, 2}[k%3]
	}
	rows := p.d.Rows
	for t := (math.Floor(rows[row].At/every) + 1) * every; t < rows[row+1].At; t += every {
		y := p.moment(row, t)
		p.printf(`<path class="axis" d="M%.0f,%.1fh5"/>`+"\n", p.axisX(), y)
		if y-(p.below[row]-p.up) > least && p.y(row+1)-y > least {
			p.printf(`<text class="soft right" x="%.0f" y="%.1f">%s</text>`+"\n", p.axisX()-8, y+4, strconv.FormatFloat(t, 'f', -1, 64))
		}
	}
}

// A band is a line of text below a row, across the picture.
type band struct {
	class, text string
}

// newBands returns the bands below a row: its violations and its marks.
func newBands(r Row) (all []band) {
	for _, why := range r.Broken {
		all = append(all, band{"broken", "✗ " + why})
	}
	for _, m := range r.Marks {
		all = append(all, [...]band{{"point", "⊘ " + m.Text}, {"turn", "↻ " + m.Text + ":"}, {"turn", "↻ " + m.Text}}[m.Kind])
	}
	return all
}

// bandClasses maps the class of a band to the class of its text.
var bandClasses = map[string]string{"broken": "why", "point": "why", "turn": "again"}

// bandY returns the height at which a band below a row begins.
func (p *picture) bandY(row, band int) float64 {
	return p.ys[row] - p.up + rowHeight/2 + p.extra(row) + float64(headHeight*band) + 1
}

// bandHeight is the height of a band.
const bandHeight = headHeight - 3

// bands draws the bands below a row.
func (p *picture) bands(row int) {
	for k, b := range newBands(p.d.Rows[row]) {
		p.printf(`<rect class="%s" x="%d" y="%.0f" width="%.0f" height="%d"/>`+"\n", b.class, margin, p.bandY(row, k), p.width-2*margin, bandHeight)
	}
}

// bandTexts writes the texts of the bands below a row, above all lines and bars, on an opaque ground.
func (p *picture) bandTexts(row int) {
	for k, b := range newBands(p.d.Rows[row]) {
		const perBold = 7.2
		y, room := p.bandY(row, k), p.width-2*margin-2*bandSpace
		wide := min(float64(utf8.RuneCountInString(b.text))*perBold, room)
		for _, class := range []string{"ground", b.class + " flat"} {
			p.printf(`<rect class="%s" x="%d" y="%.0f" width="%.0f" height="%d"/>`+"\n", class, margin+bandSpace-2, y+2, wide+4, bandHeight-4)
		}
		p.printf(`<text class="%s" x="%d" y="%.0f">`, bandClasses[b.class], margin+bandSpace, y+14)
		p.cut(b.text, int(room/perBold))
	}
}

// bandSpace is the indent of the text of a band.
const bandSpace = 6

// turn draws the loop of a lasso at the margin.
func (p *picture) turn() {
	if p.d.Loop == 0 {
		return
	}
	const x, out = margin - 2, 9
	from, to := p.y(p.d.Loop)-6, p.y(len(p.ys)-1)+6
	p.printf(`<path class="loop" d="M%d,%.0fh-%dV%.0fh%d"><title>%s</title></path>`+"\n", x, to, out, from, out-3, esc("the run goes round here for ever"))
	p.printf(`<path class="looped" d="M%d,%.0fl-7,-4v8Z"/>`+"\n", x+2, from)
}

// firstOfInstant reports whether a row is the first of its instant. By steps, each row is.
func (p *picture) firstOfInstant(row int) bool {
	return !p.d.Scaled || row == 0 || p.d.Rows[row].At > p.d.Rows[row-1].At
}
