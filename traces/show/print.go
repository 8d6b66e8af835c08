package show

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// An ink is an ANSI style of text.
type ink string

const (
	plainInk ink = ""
	bold     ink = "1"
	red      ink = "1;31"
	green    ink = "32"
	yellow   ink = "33"
)

// A printer lays out text.
type printer struct {
	Style
	b strings.Builder
}

func (p *printer) paint(i ink, s string) string {
	if !p.Color || i == plainInk {
		return s
	}
	return "\x1b[" + string(i) + "m" + s + "\x1b[0m"
}

func (p *printer) linef(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// Write writes the report in the layout of [Text].
func (t *Report) Write(w io.Writer, style Style) error {
	p := printer{Style: style}
	p.head(t)
	p.steps(t)
	p.linef("")
	for _, r := range t.Result {
		p.result(r)
	}
	if t.End != nil {
		p.linef("")
		p.state(t.End)
		if len(t.End.Waits) > 0 {
			p.linef("%s", p.paint(bold, "Who waits for what"))
			p.table(t.End.Waits)
		}
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (p *printer) head(t *Report) {
	p.linef("%s", p.paint(bold, t.Title))
	for _, f := range t.Head {
		var lines []string
		for line := range strings.SplitSeq(f.Text, "\n") {
			lines = append(lines, breakLines(line, p.Columns()-10)...)
		}
		p.linef("  %-7s %s", f.Subject, strings.Join(lines, "\n          "))
	}
	p.linef("")
}

// steps writes the table of steps, with the notes below each.
func (p *printer) steps(t *Report) {
	c := columns{whatMost: p.Columns() * 2 / 5}
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

// state writes a state.
func (p *printer) state(s *Snapshot) {
	p.linef("%s", p.paint(bold, "State "+s.When))
	p.table(s.Nodes)
	if len(s.Pending) > 0 {
		p.linef("%s", p.paint(bold, "Pending"))
		p.table(s.Pending)
	}
	if s.Left != "" {
		const may = "Faults that may still happen:"
		p.linef("%s%s", p.paint(bold, may), strings.TrimPrefix(strings.Join(breakLines(may+" "+s.Left, p.Columns()), "\n"), may))
	}
}

// table writes facts in two columns, and folds long texts.
func (p *printer) table(facts []Fact) {
	var widest int
	for _, f := range facts {
		widest = max(widest, width(f.Subject))
	}
	for _, f := range facts {
		for i, line := range breakLines(f.Text, p.Columns()-widest-4) {
			who := ""
			if i == 0 {
				who = f.Subject
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
	for _, line := range breakLines(n.Text, p.Columns()-4) {
		p.linef("%s", p.paint(i, "    "+line))
	}
}

func (p *printer) result(r Result) {
	i, mark := green, "✓ "
	if r.Bad {
		i, mark = red, "✗ "
	}
	for _, line := range breakLines(mark+r.Text, p.Columns()) {
		p.linef("%s", p.paint(i, line))
	}
}

// columns has the widths of the table. An event wider than whatMost moves its details to the next line.
type columns struct{ step, time, who, what, whatMost int }

func (c *columns) fit(l Line) {
	c.step, c.time, c.who = max(c.step, width(fmt.Sprint(l.Step))), max(c.time, width(l.Time)), max(c.who, width(l.Who))
	if w := width(l.What); w <= c.whatMost {
		c.what = max(c.what, w)
	}
}

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, to int) string { return s + strings.Repeat(" ", max(to-width(s), 0)) }

// line writes a line, with its details folded.
func (p *printer) line(l Line, c columns) {
	left := fmt.Sprintf("%*d  ", c.step, l.Step)
	if c.time > 0 { // the run is timed
		left += pad(l.Time, c.time) + "  "
	}
	left += pad(l.Who, c.who) + "  "
	indent := width(left) + c.what + 2
	details := fold(l.Details, p.Columns()-indent)
	what := breakLines(l.What, p.Columns()-width(left))
	if width(l.What) <= c.what && len(details) > 0 {
		p.linef("%s%s  %s", left, p.paint(l.ink, pad(l.What, c.what)), details[0])
		details, what = details[1:], nil
	}
	for i, line := range what {
		if i > 0 {
			left = strings.Repeat(" ", width(left))
		}
		p.linef("%s%s", left, p.paint(l.ink, line))
	}
	for _, line := range details {
		p.linef("%s%s", strings.Repeat(" ", indent), line)
	}
}

// fold joins details to lines of at most limit columns.
func fold(details []string, limit int) []string {
	var lines []string
	for _, d := range details {
		if k := len(lines) - 1; k >= 0 && width(lines[k])+2+width(d) <= limit {
			lines[k] += "; " + d
			continue
		}
		lines = append(lines, breakLines(d, limit)...)
	}
	return lines
}

// breakLines breaks a detail at spaces into lines of at most limit columns. It avoids a break between a field and
// its value.
func breakLines(detail string, limit int) []string {
	var lines []string
	for limit = max(limit, 0); width(detail) > limit; {
		head := string([]rune(detail)[:limit+1]) // a space right after a full line counts
		space := strings.LastIndexByte(head, ' ')
		for before := space; before > 0 && head[before-1] == ':'; {
			before = strings.LastIndexByte(head[:before], ' ')
			if strings.TrimSpace(head[:max(before, 0)]) != "" {
				space = before
			}
		}
		if strings.TrimSpace(head[:max(space, 0)]) == "" {
			break
		}
		lines = append(lines, head[:space])
		detail = "  " + detail[space+1:]
	}
	return append(lines, detail)
}
