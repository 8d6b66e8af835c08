package show

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// A Report is the text of a run in parts. It is plain data, so a trace can store it, and it can be written
// without the protocol.
type Report struct {
	Title  string // the protocol with its variant
	Head   []Fact
	Lines  []Line
	Notes  []Note // sorted by step
	Result []Result
	End    *Snapshot // nil if the text has no last state
}

// A Fact is a statement on a node, a monitor or a field of the header.
type Fact struct {
	Subject string `json:"who"`
	Text    string `json:"is"`
}

// A Note is a remark below a step: a violation, or how the run continues.
type Note struct {
	Step   int    `json:"step"`
	Text   string `json:"text"`
	Broken bool   `json:"broken,omitempty"` // it is a violation
}

// A Result is a line of the verdict.
type Result struct {
	Text string `json:"text"`
	Bad  bool   `json:"bad,omitempty"`
}

// NewReport returns the report of a run.
func NewReport(run *replay.Run) *Report {
	t := texter{run: run}
	out := &Report{Title: t.title(), Head: t.header(), Lines: Lines(run), Result: t.verdict()}
	reported := map[world.Violation]bool{}
	out.Notes = append(t.violations(0, reported), t.endless(0)...)
	for _, l := range out.Lines {
		if l.Step > 0 {
			out.Notes = slices.Concat(out.Notes, t.violations(l.Step, reported), t.endless(l.Step))
		}
	}
	if run.Trace.Claim != "" || run.Diverged != nil {
		end := t.snapshot()
		if w := run.World; run.Diverged == nil && (len(w.Violations) == 0 || w.Stuck()) {
			end.Waits = t.waits()
		}
		out.End = &end
	}
	return out
}

func (t *texter) title() string {
	if v := t.run.Trace.Variant; v != "" {
		return t.run.Trace.Protocol + "/" + v
	}
	return t.run.Trace.Protocol
}

func (t *texter) header() []Fact {
	tr := t.run.Trace
	time := tr.Time
	if tr.Timed() {
		time += ", in ticks"
		if drift := t.run.World.System.Drift; drift != (model.Drift{}) {
			time += fmt.Sprintf(" of which %d make one of the configuration's", drift.Ticks())
		}
	}
	return Head(tr, time)
}

// Head returns the facts of a trace's header. Time is the text for the time model.
func Head(tr *traces.Trace, time string) (head []Fact) {
	for _, f := range []Fact{
		{"config", tr.Config.String()}, {"time", time}, {"cost", tr.Cost.String()}, {"claim", tr.Claim}, {"broken", tr.Text}, {"note", tr.Note},
	} {
		if f.Text != "" {
			head = append(head, f)
		}
	}
	return head
}

// endless returns notes if a step is a boundary of the loop or the point of no return.
func (t *texter) endless(step int) (notes []Note) {
	tr := t.run.Trace
	note := func(text string) { notes = append(notes, Note{Step: step, Text: text}) }
	behind, point := tr.NoReturn.Point()
	if !point {
		behind = len(tr.Steps)
	}
	if tr.NoReturn != nil && step == behind {
		note("⊘ " + tr.NoReturn.String())
	}
	if step == tr.Loop-1 {
		note("↻ " + tr.Rounds() + ":")
	}
	if tr.Loop > 0 && step == len(tr.Steps) {
		note(fmt.Sprintf("↻ on with step %d", tr.Loop))
	}
	return notes
}

// violations returns a note for each violation in a step that is not reported yet, and adds it to reported.
func (t *texter) violations(step int, reported map[world.Violation]bool) (notes []Note) {
	for _, v := range t.run.World.Violations {
		once := world.Violation{Claim: v.Claim, Text: v.Text}
		if v.Step != step || reported[once] {
			continue
		}
		reported[once] = true
		notes = append(notes, Note{Step: step, Text: fmt.Sprintf("✗ %s is violated: %s", v.Claim, v.Text), Broken: true})
	}
	return notes
}

// verdict returns the results of the run.
func (t *texter) verdict() []Result {
	bad := t.violatedClaims()
	switch {
	case t.run.Diverged != nil:
		bad = []string{t.run.Diverged.Text}
	case len(bad) == 0 && t.run.Trace.Claim != "":
		bad = []string{t.run.Trace.Claim + " is violated: its goal is not reached"}
	case len(bad) == 0 && t.run.Trace.Cost != nil:
		return []Result{{Text: t.run.Trace.Cost.String()}}
	case len(bad) == 0:
		return []Result{{Text: "no claim that was watched is violated"}}
	}
	var out []Result
	for _, line := range bad {
		out = append(out, Result{line, true})
	}
	return out
}

// violatedClaims lists each violated claim with its first step.
func (t *texter) violatedClaims() []string {
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

// NewLine returns the line of a step from its texts. It takes the number, the instant and the color from the
// step s.
func NewLine(number int, s traces.Step, who, what string, details []string) Line {
	kind, _ := model.ParseEventKind(s.Kind) // an unknown kind has no color
	return Line{Step: number, Time: s.At, Who: who, What: what, Details: details, ink: inkOf(kind)}
}

// inkOf returns the ink for a kind: one for moves of the environment, and one for returns.
func inkOf(kind model.EventKind) ink {
	switch {
	case kind.Adversarial():
		return yellow
	case kind == model.Return:
		return green
	}
	return plainInk
}
