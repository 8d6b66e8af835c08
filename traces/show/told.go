package show

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// Told is what the text of a run says, in parts: plain data that can be kept with a trace, and
// written without its protocol.
type Told struct {
	Title  string // the protocol with its variant
	Head   []Fact
	Lines  []Line
	Notes  []Note // in the order of their steps
	Result []Result
	End    *Stood // nil where the text does not show how everything stands
}

// A Fact says something of somebody, or of a field of the header.
type Fact struct {
	Who string `json:"who"`
	Is  string `json:"is"`
}

// A Note stands below a step: a claim that it violates, or how the run goes on.
type Note struct {
	Step   int    `json:"step"`
	Text   string `json:"text"`
	Broken bool   `json:"broken,omitempty"` // it is about a claim that breaks
}

// A Result sums up, in a line.
type Result struct {
	Text string `json:"text"`
	Bad  bool   `json:"bad,omitempty"`
}

// Tell tells a run.
func Tell(run *replay.Run) *Told {
	t := texter{run: run}
	out := &Told{Title: t.title(), Head: t.header(), Lines: Lines(run), Result: t.verdict()}
	told := map[world.Violation]bool{}
	out.Notes = append(t.violations(0, told), t.endless(0)...)
	for _, l := range out.Lines {
		if l.Step > 0 {
			out.Notes = slices.Concat(out.Notes, t.violations(l.Step, told), t.endless(l.Step))
		}
	}
	if run.Trace.Claim != "" || run.Diverged != nil {
		end := t.stood()
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

// Head is the header of a trace that reads time as the words say.
func Head(tr *traces.Trace, time string) (head []Fact) {
	for _, f := range []Fact{
		{"config", tr.Config.String()}, {"time", time}, {"cost", tr.Cost.String()}, {"claim", tr.Claim}, {"broken", tr.Text}, {"note", tr.Note},
	} {
		if f.Is != "" {
			head = append(head, f)
		}
	}
	return head
}

// endless says of a step whether the loop begins behind it or ends with it, and whether the point of no
// return is there.
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

// violations says which claims a step breaks, each once.
func (t *texter) violations(step int, told map[world.Violation]bool) (notes []Note) {
	for _, v := range t.run.World.Violations {
		once := world.Violation{Claim: v.Claim, Text: v.Text}
		if v.Step != step || told[once] {
			continue
		}
		told[once] = true
		notes = append(notes, Note{Step: step, Text: fmt.Sprintf("✗ %s is violated: %s", v.Claim, v.Text), Broken: true})
	}
	return notes
}

// verdict sums up.
func (t *texter) verdict() []Result {
	bad := t.violated()
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

// LineOf is the line of a step as it was told, which gets its number, its instant and how it is marked
// from the trace.
func LineOf(number int, s traces.Step, who, what string, details []string) Line {
	kind, _ := model.ParseEventKind(s.Kind) // one that is unknown is not marked
	return Line{Step: number, Time: s.At, Who: who, What: what, Details: details, ink: inkOf(kind)}
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
