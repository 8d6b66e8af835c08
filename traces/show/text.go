// Package show says in words what a run does: its text, step by step (text.go, row.go), and how everything
// stands at its end (state.go).
package show

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"contend/model"
	"contend/model/world"
	"contend/traces/honest"
	"contend/traces/replay"
)

// The layout of the text rendering, in columns of a terminal.
const (
	textWidth = 158
	whatWidth = 66 // of what happens; what is longer pushes its details to the next line
)

// Text writes a run for people: what it is a run of, and a line for each step with
// the time, where it happens, what happens, and what came of it: what changed in
// the node's state, what it sent, noted and armed. Violations stand below their
// step, marked ✗. Color marks them for a terminal too. The run of a counterexample ends with
// the whole state that it reached, and with who waits for what where a goal is not reached.
func Text(w io.Writer, run *replay.Run, color bool) error {
	t := texter{run: run, color: color, told: map[world.Violation]bool{}}
	t.header()
	t.steps()
	t.verdict()
	if t.run.Trace.Claim != "" || t.run.Diverged != nil {
		t.ends()
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

// ends shows the state at the end of a run that breaks a claim, or that is none.
func (t *texter) ends() {
	t.linef("")
	t.state()
	if w := t.run.World; t.run.Diverged != nil || len(w.Violations) > 0 && !w.Stuck() {
		return
	}
	if waits := t.waits(); len(waits) > 0 {
		t.linef("%s", t.paint(bold, "Who waits for what"))
		t.table(waits)
	}
}

type texter struct {
	run   *replay.Run
	color bool
	b     strings.Builder
	told  map[world.Violation]bool // violations, without their step
	// honest says of each step that is a lie what an honest node would have said.
	honest map[int]string
}

// An ink is a way to mark text on a terminal.
type ink string

const (
	plainInk ink = ""
	bold     ink = "1"
	red      ink = "1;31"
	green    ink = "32"
	yellow   ink = "33"
)

func (t *texter) paint(i ink, s string) string {
	if !t.color || i == plainInk {
		return s
	}
	return "\x1b[" + string(i) + "m" + s + "\x1b[0m"
}

func (t *texter) linef(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

func (t *texter) header() {
	tr := t.run.Trace
	name := tr.Protocol
	if tr.Variant != "" {
		name += "/" + tr.Variant
	}
	t.linef("%s", t.paint(bold, name))
	time := tr.Time
	if tr.Timed() {
		time += ", in ticks"
		if k := t.run.World.System.Drift.Ticks(); k > 1 {
			time += fmt.Sprintf(" of which %d make one of the configuration's", k)
		}
	}
	for _, f := range []struct{ label, is string }{
		{"config", tr.Config.String()}, {"time", time}, {"cost", tr.Cost.String()}, {"claim", tr.Claim}, {"broken", tr.Text}, {"note", tr.Note},
	} {
		if f.is != "" {
			t.linef("  %-7s %s", f.label, strings.ReplaceAll(f.is, "\n", "\n          "))
		}
	}
	t.linef("")
}

// A Line says what one step of a run does, in words.
type Line struct {
	Step    int    // from 1; 0 is what the nodes do before the first step
	Time    string // in ticks; "" in an untimed run
	Who     string // where it happens
	What    string
	Details []string // what came of it
	ink     ink
}

// Lines tells a run: its start, where that does anything, and each step.
func Lines(run *replay.Run) []Line {
	t := texter{run: run, honest: honest.Said(run)}
	var lines []Line
	if l, ok := t.start(); ok {
		lines = append(lines, l)
	}
	return append(lines, LinesFrom(run, 1)...)
}

// LinesFrom tells the steps of a run from one on, the first of which is 1.
func LinesFrom(run *replay.Run, step int) []Line {
	t := texter{run: run}
	var lines []Line
	for i, rec := range run.Records[min(step-1, len(run.Records)):] {
		lines = append(lines, t.row(step+i, rec))
	}
	return lines
}

func (t *texter) steps() {
	rows := Lines(t.run)
	var c columns
	for _, l := range rows {
		c.fit(l)
	}
	t.violations(0)
	t.endless(0)
	for _, l := range rows {
		t.line(l, c)
		t.violations(l.Step)
		if l.Step > 0 {
			t.endless(l.Step)
		}
	}
}

// endless marks, below a step, where the loop begins, where it ends, and the point of no return.
func (t *texter) endless(step int) {
	tr := t.run.Trace
	behind, point := tr.NoReturn.Point()
	if !point {
		behind = len(tr.Steps)
	}
	if tr.NoReturn != nil && step == behind {
		t.linef("%s", t.paint(yellow, "    ⊘ "+tr.NoReturn.String()))
	}
	if tr.Loop > 0 && step == tr.Loop-1 {
		t.linef("%s", t.paint(yellow, "    ↻ "+tr.Rounds()+":"))
	}
	if tr.Loop > 0 && step == len(tr.Steps) {
		t.linef("%s", t.paint(yellow, fmt.Sprintf("    ↻ on with step %d", tr.Loop)))
	}
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
func (t *texter) line(l Line, c columns) {
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
			text = left + t.paint(l.ink, l.What) + strings.Repeat(" ", max(c.what-width(l.What), 0)+2)
		}
		t.linef("%s", strings.TrimRight(text+details, " "))
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

// violations writes which claims a step breaks, each once.
func (t *texter) violations(step int) {
	for _, v := range t.run.World.Violations {
		once := world.Violation{Claim: v.Claim, Text: v.Text}
		if v.Step != step || t.told[once] {
			continue
		}
		t.told[once] = true
		t.linef("%s", t.paint(red, fmt.Sprintf("    ✗ %s is violated: %s", v.Claim, v.Text)))
	}
}

// verdict sums up.
func (t *texter) verdict() {
	t.linef("")
	bad := t.violated()
	switch {
	case t.run.Diverged != nil:
		bad = []string{t.run.Diverged.Text}
	case len(bad) == 0 && t.run.Trace.Claim != "":
		bad = []string{t.run.Trace.Claim + " is violated: its goal is not reached"}
	case len(bad) == 0 && t.run.Trace.Cost != nil:
		t.linef("%s", t.paint(green, "✓ "+t.run.Trace.Cost.String()))
	case len(bad) == 0:
		t.linef("%s", t.paint(green, "✓ no claim that was watched is violated"))
	}
	for _, line := range bad {
		t.linef("%s", t.paint(red, "✗ "+line))
	}
}

// violated says of each violated claim at which step it was first.
func (t *texter) violated() []string {
	var out []string
	seen := map[string]bool{}
	for _, v := range t.run.World.Violations {
		if !seen[v.Claim] {
			seen[v.Claim] = true
			out = append(out, fmt.Sprintf("%s is violated at step %d", v.Claim, v.Step))
		}
	}
	return out
}

// inkOf marks what the environment does and what the application sees.
func inkOf(kind model.EventKind) ink {
	switch {
	case kind.Adversarial():
		return yellow
	case kind == model.Return:
		return green
	}
	return plainInk
}
