package draw

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
)

// The sizes of the drawing, in pixels.
const (
	margin     = 16
	headHeight = 22 // of a line of the head
	rowHeight  = 28
	lineHeight = 13 // of the texts of a step
	stepsWidth = 44 // the column of step numbers
	timesWidth = 56
	wholeWidth = 884 // of a picture whose lanes are at least laneNarrow wide
	leastWords = 300 // the least width of the column of texts
	perName    = 7.6 // the width of a letter in the name of a lane
	perLetter  = 7   // the width of a letter of a text
	perSmall   = 6.4 // the width of a letter of details
	laneWide   = 132
	laneNarrow = 22
	mostTitle  = 2000
	mostLabel  = 26 // in letters; the rest is cut
)

// style has the CSS for light and dark grounds. The colors are distinct for people with color blindness and
// have enough contrast. Each color also has its own stroke. tools/browser tests all three.
const style = `
.run{--ink:#1a1a1a;--soft:#666;--ground:#fff;--rule:#d4d4d4;--sent:#2867da;--bad:#b11f01;--says:#b11f01;--forged:#7b1e6e;--twice:#c88500;--in:#19a780}
@media(prefers-color-scheme:dark){.run{--ink:#e8e8e8;--soft:#a5a5a5;--ground:#16181d;--rule:#3a3d44;--sent:#93b6ff;--bad:#d96215;--says:#ff9a5c;--forged:#b66ab6;--twice:#ffb022;--in:#57f8a4}}
.run text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink)}
.run .title{font-size:16px;font-weight:600}.run .name{font-weight:600;text-anchor:middle}.run .soft,.run .more{fill:var(--soft)}.run .more{font-size:11px}.run .right{text-anchor:end}
.run .liar{font-size:10px;fill:var(--forged);text-anchor:middle}
.run .label{font-size:11px;text-anchor:middle;paint-order:stroke;stroke:var(--ground);stroke-width:6px;stroke-linejoin:round}
.run .whole,.run .spare,.run .flown{display:none}
.run .ground{fill:var(--ground)}.run .row{fill:transparent}.run .lane,.run .rule{stroke:var(--rule);stroke-width:1.5}.run .rule{stroke-dasharray:1 5}
.run .way{fill:none;stroke:var(--sent);stroke-width:1.6}.run .head{fill:var(--sent)}
.run .doubled,.run .repeated{stroke:var(--twice);stroke-dasharray:2 3}.run .repeated{stroke-dasharray:8 3 2 3}.run .head.doubled,.run .head.repeated{fill:var(--twice);stroke:none}
.run .forged{stroke:var(--forged);stroke-width:3;stroke-dasharray:12 2 3 2}.run .head.forged{fill:var(--forged);stroke:none}.run .honest{fill:var(--forged);font-style:italic}
.run .lost,.run .unheard{stroke:var(--bad);stroke-dasharray:7 4}.run .unheard{stroke-dasharray:14 3}.run .flight{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:5 2 1 2}
.run .vane{fill:none;stroke:var(--soft);stroke-width:1.2}.run .cross{stroke:var(--bad);stroke-width:2;fill:none}
.run .dot{fill:var(--ink)}.run .dot.fault{fill:var(--bad)}
.run .operation{fill:var(--ground);stroke:var(--ink);stroke-width:1.2}.run .section{fill:var(--in);stroke:var(--in);fill-opacity:.45}
.run .down{fill:var(--soft);fill-opacity:.25;stroke:var(--soft);stroke-dasharray:3 3}.run .alarm{stroke:var(--twice);stroke-width:2.5;fill:none}.run .hold{stroke:var(--sent);stroke-width:5;stroke-dasharray:1 2;fill:none}
.run .cut{fill:var(--bad);fill-opacity:.08;stroke:none}
.run .broken{fill:var(--bad);fill-opacity:.14;stroke:var(--bad);stroke-width:1}.run text.why{fill:var(--says);font-weight:600}.run .told{fill:var(--bad)}
.run .point{fill:var(--bad);fill-opacity:.06;stroke:var(--bad);stroke-width:2;stroke-dasharray:9 3 2 3}
.run .turn{fill:var(--sent);fill-opacity:.1}.run .flat{stroke:none}.run text.again{fill:var(--sent);font-weight:600}.run .loop{fill:none;stroke:var(--sent);stroke-width:3}.run .looped{fill:var(--sent)}
.run .axis{fill:none;stroke:var(--soft);stroke-width:1}.run .instant{stroke:var(--soft);stroke-width:3}.run .gap{stroke:var(--soft);stroke-width:1.5}
`

// SVG writes the diagram as a self-contained picture without scripts. The elements of steps, messages and lane
// names have the attributes data-step; data-sent and data-end; and data-lane, for scripts of a page.
func (d *Diagram) SVG(w io.Writer) error {
	p := newPicture(d, false)
	p.open()
	p.names(p.ys[0] - rowHeight/2)
	p.marks(span{0, len(d.Rows), p.ys[0] - rowHeight/2, p.end}, d.Bars, p.arrows)
	p.legend(p.end + margin)
	p.printf("</svg>\n")
	_, err := io.WriteString(w, p.String())
	return err
}

// A span is a range of rows of a picture, with its heights.
type span struct {
	from, to    int // the rows [from, to)
	top, bottom float64
}

// marks draws the rows with their bars and arrows. Bars come first, since they are below.
func (p *picture) marks(s span, bars []Bar, arrows []labelled) {
	p.span = s
	for _, b := range bars {
		if b.Kind == Cut {
			p.shade(b)
		}
	}
	p.lanes()
	p.rules()
	for i := s.from; i < s.to; i++ {
		p.row(i, p.d.Rows[i])
		p.axis(i)
	}
	p.turn()
	for _, b := range bars {
		p.bar(b)
	}
	for _, a := range arrows {
		p.arrow(a)
	}
	for i := s.from; i < s.to; i++ {
		p.dot(i, p.d.Rows[i])
	}
	for i := s.from; i < s.to; i++ {
		p.bandTexts(i)
	}
	for _, a := range arrows {
		p.labels(a)
	}
}

// A picture is a diagram during drawing. If up is not zero, a span is drawn, shifted up by this distance.
type picture struct {
	strings.Builder
	span
	d         *Diagram
	head      []string
	page      bool       // part of a page; a page shows the selected step in full
	words     [][]string // the texts of the rows
	partly    []bool     // whether the texts of a row are cut
	ys        []float64  // the heights of the rows, before the shift by up
	below     []float64  // the heights at which the bands below each row end
	perTick   float64    // the height of a tick, to scale
	arrows    []labelled
	up        float64
	lane      float64 // the width of a lane
	laneX     float64 // the position of the first lane
	text      float64 // the position of the texts
	width     float64
	end       float64 // the height at which the rows end
	height    float64
	namesTall float64
	inLegend  []entry
	perLegend int
}

// The number of text lines of a step. A page needs few, since it shows the selected step in full.
const (
	linesOnPage = 2
	linesAlone  = 3
)

// newFrame computes the layout around the rows of a diagram.
func newFrame(d *Diagram, page bool) *picture {
	p := &picture{d: d, page: page}
	p.columns()
	p.inLegend = d.legend()
	p.perLegend = max(int((p.width-2*margin)/p.legendWidth()), 1)
	return p
}

// newPicture computes the layout of a diagram, for a separate picture or for a page.
func newPicture(d *Diagram, page bool) *picture {
	p := newFrame(d, page)
	lines := linesAlone
	if page {
		lines = linesOnPage
	}
	for _, r := range d.Rows {
		words, partly := wordsOf(r, lines, p.width-margin-p.text)
		p.words, p.partly = append(p.words, words), append(p.partly, partly)
	}
	p.head = p.heading()
	p.place(margin + headHeight*float64(len(p.head)) + p.namesTall + rowHeight/2)
	p.labelAll()
	p.height = p.end + margin + p.legendHeight()
	return p
}

// columns divides the width. Lanes are as wide as the column of texts allows, but at least laneNarrow.
func (p *picture) columns() {
	from, lanes := float64(margin+stepsWidth), float64(len(p.d.Lanes))
	if p.d.Timed {
		from += timesWidth
	}
	whole := float64(cmp.Or(p.d.Width, wholeWidth))
	p.lane = min(max(math.Floor((whole-margin-leastWords-from)/lanes), laneNarrow), laneWide)
	p.laneX = from + math.Floor(p.lane/2)
	p.text = from + p.lane*lanes
	p.width = max(whole, p.text+leastWords+margin)
	p.namesTall = p.namesHeight()
}

// heading returns the lines above the picture, cut to its width.
func (p *picture) heading() []string {
	if p.d.Bare {
		return nil
	}
	room := int((p.width - 2*margin) / perLetter)
	lines := []string{p.d.Title, p.d.Config}
	if p.d.Claim != "" {
		lines = append(lines, strings.Join(strings.Fields(p.d.Claim+": "+p.d.Text), " "))
	}
	for _, sentence := range p.d.Why {
		lines = append(lines, Fold(sentence, room)...)
	}
	for i := range lines {
		lines[i] = short(lines[i], room)
	}
	return lines
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func (p *picture) open() {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="run" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n", p.width, p.height, p.width, p.height)
	p.printf("<title>%s</title>\n<desc>%s</desc>\n<style>%s</style>\n", esc(p.d.Title), esc(p.d.summary()), style)
	p.printf(`<rect class="ground" width="%.0f" height="%.0f"/>`+"\n", p.width, p.height)
	for i, line := range p.head {
		class := "soft"
		switch i {
		case 0:
			class = "title"
		case 2:
			class = "why"
		}
		p.printf(`<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, margin, margin+16+headHeight*i, esc(line))
	}
}

// summary returns a sentence on the content of the picture.
func (d *Diagram) summary() string {
	s := fmt.Sprintf("A run of %s with %d nodes and %d steps", d.Title, len(d.Lanes), len(d.Rows)-1)
	if d.Claim != "" {
		s += fmt.Sprintf(", which violates %s", d.Claim)
	}
	if d.Text != "" {
		s += ": " + d.Text
	}
	return s + "."
}

// x returns the position of a lane.
func (p *picture) x(lane int) float64 { return p.laneX + p.lane*float64(lane) }

// y returns the height of a row.
func (p *picture) y(row int) float64 {
	if row < 0 { // above the first row
		return p.ys[0] - rowHeight/2 - p.up
	}
	return p.ys[row] - p.up
}

// barEnd returns the height at which a bar ends.
func (p *picture) barEnd(b Bar) float64 {
	switch {
	case b.Open:
		return p.end - p.up
	case b.Until > 0:
		return p.moment(b.To, b.Until)
	}
	return p.y(b.To)
}

// visible reports whether a mark at a height is visible, perhaps in part.
func (p *picture) visible(y float64) bool {
	const letter = 14
	return p.top-letter < y && y < p.bottom+letter
}

func (p *picture) lanes() {
	for i := range p.d.Lanes {
		p.printf(`<path class="lane" d="M%.0f,%.0fV%.0f"/>`+"\n", p.x(i), p.top, p.bottom)
	}
}

// rules draws a dotted line through the lanes at each row, up to its texts.
func (p *picture) rules() {
	p.printf(`<path class="rule" d="`)
	for i := p.from; i < p.to; i++ {
		p.printf("M%.0f,%.0fH%.0f", p.laneX-p.lane/2, p.y(i), p.text-6)
	}
	p.printf(`"/>` + "\n")
}

// row draws the number, the time, the texts and the bands of a step.
func (p *picture) row(i int, r Row) {
	y := p.y(i)
	p.printf(`<g class="step" data-step="%d"><rect class="row" x="%d" y="%.0f" width="%.0f" height="%.0f"/>`+"\n", r.Step, margin, y-rowHeight/2, p.width-2*margin, rowHeight+p.extra(i))
	p.bands(i)
	p.printf(`<text class="soft right" x="%d" y="%.0f">%d</text>`+"\n", margin+stepsWidth-12, y+4, r.Step)
	p.drawMarked(i, y)
	if p.d.Timed && p.firstOfInstant(i) {
		p.printf(`<text class="soft right" x="%d" y="%.0f">%s</text>`+"\n", margin+stepsWidth+timesWidth-12, y+4, esc(r.Time))
	}
	p.texts(i, y)
	if p.partly[i] {
		p.printf("<title>%s</title>", esc(short(r.text(), mostTitle)))
	}
	p.printf("</g>\n")
}

// texts draws the texts of a step.
func (p *picture) texts(i int, y float64) {
	up := float64(lineHeight*(min(len(p.words[i]), linesOnPage)-1)) / 2
	for k, line := range p.words[i] {
		class := ""
		if k > 0 && len(p.d.Rows[i].Details) > 0 {
			class = ` class="more"`
		}
		p.printf(`<text%s x="%.0f" y="%.0f">%s</text>`+"\n", class, p.text, y+4-up+float64(lineHeight*k), esc(line))
	}
}

// cut writes a text into its element, cut to a number of letters, with the full text in a title.
func (p *picture) cut(text string, letters int) {
	is := short(text, letters)
	p.WriteString(esc(is))
	if is != text {
		p.printf("<title>%s</title>", esc(short(text, mostTitle)))
	}
	p.WriteString("</text>\n")
}

// dot draws the dot of a step.
func (p *picture) dot(i int, r Row) {
	if r.Lane < 0 {
		return
	}
	class := "dot"
	if r.Fault {
		class += " fault"
	}
	p.printf(`<circle class="%s" data-step="%d" cx="%.0f" cy="%.0f" r="3.2"/>`+"\n", class, r.Step, p.x(r.Lane), p.y(i))
}

// esc escapes a text for XML.
func esc(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder returns no error
	return b.String()
}

// text returns the full text of a step.
func (r Row) text() string {
	return strings.Join(append([]string{r.Who + ": " + r.What}, r.Details...), "; ")
}
