package show

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// The layout of the text rendering, in columns of a terminal.
const (
	textWidth = 158
	whatWidth = 66 // of what happens; what is longer pushes its details to the next line
)

// An ink is a way to mark text on a terminal.
type ink string

const (
	plainInk ink = ""
	bold     ink = "1"
	red      ink = "1;31"
	green    ink = "32"
	yellow   ink = "33"
)

// printer writes text.
type printer struct {
	color bool
	b     strings.Builder
}

func (p *printer) paint(i ink, s string) string {
	if !p.color || i == plainInk {
		return s
	}
	return "\x1b[" + string(i) + "m" + s + "\x1b[0m"
}

func (p *printer) linef(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// Write writes what is told, as [Text] does.
func (t *Told) Write(w io.Writer, color bool) error {
	p := printer{color: color}
	p.head(t)
	p.steps(t)
	p.linef("")
	for _, r := range t.Result {
		p.result(r)
	}
	if t.End != nil {
		p.linef("")
		p.stood(t.End)
		if len(t.End.Waits) > 0 {
			p.linef("%s", p.paint(bold, "Who waits for what"))
			p.table(t.End.Waits)
		}
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (p *printer) head(t *Told) {
	p.linef("%s", p.paint(bold, t.Title))
	for _, f := range t.Head {
		p.linef("  %-7s %s", f.Who, strings.ReplaceAll(f.Is, "\n", "\n          "))
	}
	p.linef("")
}

// steps writes the table of steps, and below each what is to be said of it.
func (p *printer) steps(t *Told) {
	var c columns
	for _, l := range t.Lines {
		c.fit(l)
	}
	notes := t.Notes
	below := func(step int) {
		for ; len(notes) > 0 && notes[0].Step <= step; notes = notes[1:] {
			p.note(notes[0])
		}
	}
	below(0)
	for _, l := range t.Lines {
		p.line(l, c)
		below(l.Step)
	}
}

// stood writes how everything stands.
func (p *printer) stood(s *Stood) {
	p.linef("%s", p.paint(bold, "State "+s.When))
	p.table(s.Nodes)
	if len(s.Pending) > 0 {
		p.linef("%s", p.paint(bold, "Pending"))
		p.table(s.Pending)
	}
	if s.Left != "" {
		p.linef("%s %s", p.paint(bold, "The environment may still spend"), s.Left)
	}
}

// table writes facts, and what is long below itself.
func (p *printer) table(facts []Fact) {
	widest := 0
	for _, f := range facts {
		widest = max(widest, width(f.Who))
	}
	for _, f := range facts {
		for i, line := range broken(f.Is, textWidth-widest-4) {
			who := ""
			if i == 0 {
				who = f.Who
			}
			p.linef("  %s  %s", pad(who, widest), line)
		}
	}
}

func (p *printer) note(n Note) {
	i := yellow
	if n.Broken {
		i = red
	}
	p.linef("%s", p.paint(i, "    "+n.Text))
}

func (p *printer) result(r Result) {
	if r.Bad {
		p.linef("%s", p.paint(red, "✗ "+r.Text))
		return
	}
	p.linef("%s", p.paint(green, "✓ "+r.Text))
}

// columns are the widths of the table.
type columns struct{ step, time, who, what int }

func (c *columns) fit(l Line) {
	c.step, c.time, c.who = max(c.step, width(fmt.Sprint(l.Step))), max(c.time, width(l.Time)), max(c.who, width(l.Who))
	if w := width(l.What); w <= whatWidth {
		c.what = max(c.what, w)
	}
}

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, to int) string { return s + strings.Repeat(" ", max(to-width(s), 0)) }

// line writes a line, its details folded below each other where they are long.
func (p *printer) line(l Line, c columns) {
	left := fmt.Sprintf("%*d  ", c.step, l.Step)
	if c.time > 0 { // the run is timed
		left += pad(l.Time, c.time) + "  "
	}
	left += pad(l.Who, c.who) + "  "
	indent := width(left) + c.what + 2
	lines := fold(l.Details, textWidth-indent)
	if width(l.What) > c.what {
		lines = append([]string{""}, lines...)
	}
	if len(lines) == 0 {
		lines = []string{""}
	}
	for i, details := range lines {
		text := strings.Repeat(" ", indent)
		if i == 0 {
			text = left + p.paint(l.ink, l.What) + strings.Repeat(" ", max(c.what-width(l.What), 0)+2)
		}
		p.linef("%s", strings.TrimRight(text+details, " "))
	}
}

// fold joins details to lines of at most so many columns.
func fold(details []string, limit int) []string {
	var lines []string
	for _, d := range details {
		if k := len(lines) - 1; k >= 0 && width(lines[k])+2+width(d) <= limit {
			lines[k] += "; " + d
			continue
		}
		lines = append(lines, broken(d, limit)...)
	}
	return lines
}

// broken breaks one detail at spaces where it is longer than a line.
func broken(detail string, limit int) []string {
	var lines []string
	for width(detail) > limit {
		head := string([]rune(detail)[:max(limit, 0)])
		space := strings.LastIndexByte(head, ' ')
		if strings.TrimSpace(head[:max(space, 0)]) == "" {
			break
		}
		lines = append(lines, head[:space])
		detail = "  " + detail[space+1:]
	}
	return append(lines, detail)
}
