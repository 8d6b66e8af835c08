// Package chart draws line charts with confidence bands as self-contained SVG without scripts, for light and
// dark backgrounds.
package chart

import (
	"fmt"
	"html"
	"math"
	"strings"
	"unicode/utf8"
)

// A Chart has lines over a common horizontal axis with a logarithmic scale.
type Chart struct {
	Name   string // file name without extension, and element id
	Title  string
	Text   string // description for screen readers
	X, Y   string // labels of the axes, with units
	Symbol string // symbol of a value on the horizontal axis
	LogY   bool
	Lines  []Line
}

// A Line is one measured quantity.
type Line struct {
	Name   string
	Points []Point
}

// A Point is a value with its confidence interval. On a logarithmic axis all numbers are positive.
type Point struct{ X, Y, Low, High float64 }

// Sizes in pixels. The plot has margins for the axes, and the legend is below. The chart is narrow enough to
// be legible on a phone.
const (
	width, height            = 480, 340
	left, right, top, bottom = 70, 14, 48, 54
	legendTop, legendRow     = 6, 22
	legendColumn, perX       = 216, 2
	legendLeft               = 30
	titleLeft                = 16
)

// marks has the point markers of lines, as SVG paths.
var marks = []string{
	"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z", "M-4,-4H4V4H-4Z", "M0,-5L5,4H-5Z", "M0,-5.5L5.5,0L0,5.5L-5.5,0Z",
	"M0,5L5,-4H-5Z", "M-5,-1.5H-1.5V-5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5Z", "M-5,-2.5H5V2.5H-5Z", "M-2.5,-5H2.5V5H-2.5Z",
}

// style has the colours for both backgrounds. They differ for colour-blind readers too; tools/browser tests
// this.
const style = `
.contend{--ink:#1a1a1a;--ground:#fff;--rule:#dcdcdc;--c0:#1a1a1a;--c1:#592bec;--c2:#752404;--c3:#11775a;--c4:#dc7193;--c5:#8f8c0a;--c6:#5891fc;--c7:#4a0066}
@media(prefers-color-scheme:dark){.contend{--ink:#e8e8e8;--ground:#16181d;--rule:#3a3d44;--c0:#f2f2f2;--c1:#4c54dc;--c2:#c93b1c;--c3:#82bd87;--c4:#ac8fa1;--c5:#f8da00;--c6:#ae97ff;--c7:#755e74}}
.contend text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink)}
.contend .title{font-size:16px;font-weight:600}.contend .tick{font-size:12px}
.contend .ground{fill:var(--ground)}.contend .rule{stroke:var(--rule);stroke-width:1}.contend .axis{stroke:var(--ink);stroke-width:1}
.contend .line{fill:none;stroke-width:2}.contend .band{stroke:none;fill-opacity:.16}
`

// SVG returns the chart as an SVG element.
func (c *Chart) SVG() string {
	d := c.drawing()
	rows := (len(c.Lines) + perX - 1) / perX
	tall := height + legendTop + legendRow*rows
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="contend" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="%s-title %s-text">`+"\n",
		width, tall, width, tall, c.Name, c.Name)
	d.printf("<title id=\"%s-title\">%s</title>\n<desc id=\"%s-text\">%s</desc>\n<style>%s</style>\n", c.Name, esc(c.Title), c.Name, esc(c.Text), style)
	d.printf(`<rect class="ground" width="%d" height="%d"/>`+"\n", width, tall)
	d.title()
	d.axes()
	for i, l := range c.Lines {
		d.line(i, l)
	}
	for i, l := range c.Lines {
		d.legend(i, l.Name)
	}
	d.printf("</svg>\n")
	return d.String()
}

// title draws the title in one or two lines.
func (d *drawing) title() {
	lines := folded(d.c.Title)
	for i, line := range lines {
		y := 24
		if len(lines) > 1 {
			y = 18 + 19*i
		}
		d.printf(`<text class="title" x="%d" y="%d">%s</text>`+"\n", titleLeft, y, esc(line))
	}
}

// titleRoom is the number of letters in a line of the title.
const titleRoom = (width - titleLeft) / 9

// folded breaks a title after a comma into at most two lines, and truncates them. The SVG title element has
// the whole text.
func folded(title string) []string {
	if utf8.RuneCountInString(title) <= titleRoom {
		return []string{title}
	}
	lines := []string{cut(title, titleRoom)}
	for i := len(title); i > 0; i = strings.LastIndex(title[:i], ", ") {
		if first := title[:i]; i < len(title) && utf8.RuneCountInString(first) < titleRoom {
			return []string{first + ",", cut(title[i+2:], titleRoom)}
		}
	}
	return lines
}

// cut truncates a text to a number of letters.
func cut(s string, room int) string {
	letters := []rune(s)
	if len(letters) <= room {
		return s
	}
	return string(letters[:room-1]) + "…"
}

func esc(s string) string { return html.EscapeString(s) }

// A drawing is a chart during drawing.
type drawing struct {
	strings.Builder
	c         *Chart
	xs, ticks []float64
	x0, x1    float64 // ends of the axes, in their scales
	y0, y1    float64
	vertical  func(float64) float64
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

// x and y return the pixel coordinates of a value.
func (d *drawing) x(v float64) float64 {
	return left + (math.Log2(v)-d.x0)/(d.x1-d.x0)*(width-left-right)
}

func (d *drawing) y(v float64) float64 {
	return height - bottom - (d.vertical(v)-d.y0)/(d.y1-d.y0)*(height-top-bottom)
}

// line draws a line, its band, and a marker with a tooltip at each point.
func (d *drawing) line(i int, l Line) {
	if len(l.Points) == 0 {
		return
	}
	var path, upper, lower strings.Builder
	for k, p := range l.Points {
		move := 'L'
		if k == 0 {
			move = 'M'
		}
		fmt.Fprintf(&path, "%c%.1f,%.1f", move, d.x(p.X), d.y(p.Y))
		fmt.Fprintf(&upper, "%c%.1f,%.1f", move, d.x(p.X), d.y(p.High))
		q := l.Points[len(l.Points)-1-k]
		fmt.Fprintf(&lower, "L%.1f,%.1f", d.x(q.X), d.y(q.Low))
	}
	colour := fmt.Sprintf("var(--c%d)", i%8)
	d.printf(`<path class="band" style="fill:%s" d="%s%sZ"/>`+"\n", colour, upper.String(), lower.String())
	d.printf(`<path class="line" style="stroke:%s%s" d="%s"/>`+"\n", colour, dash(i), path.String())
	for _, p := range l.Points {
		d.printf(`<path style="fill:%s" transform="translate(%.1f,%.1f)" d="%s"><title>%s, %s = %s: %s [%s, %s]</title></path>`+"\n",
			colour, d.x(p.X), d.y(p.Y), marks[i%len(marks)], esc(l.Name), esc(d.c.Symbol), formatShort(p.X), formatShort(p.Y), formatShort(p.Low), formatShort(p.High))
	}
}

// dash returns the dash style that distinguishes lines of one colour.
func dash(i int) string {
	if i < len(marks) {
		return ""
	}
	return ";stroke-dasharray:6 4"
}

func (d *drawing) legend(i int, name string) {
	x, y := legendLeft+(i%perX)*legendColumn, height+legendTop+legendRow*(i/perX)
	d.printf(`<path class="line" style="stroke:var(--c%d)%s" d="M%d,%dh26"/><path style="fill:var(--c%d)" transform="translate(%d,%d)" d="%s"/><text x="%d" y="%d">%s</text>`+"\n",
		i%8, dash(i), x, y, i%8, x+13, y, marks[i%len(marks)], x+34, y+4, esc(name))
}

// formatShort formats a number with at most four digits.
func formatShort(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}
