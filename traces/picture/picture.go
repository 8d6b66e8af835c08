// Package picture has the appearance of a run as plain data: its drawing, its text, the state of each node
// after each step, and the explanation of its violation. [Record] stores it in a trace and [Read] reads it. So
// a trace can be shown without its protocol, and after a change of the protocol. stored.go is the form in the
// file, and check.go validates it.
package picture

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"contend/traces"
	"contend/traces/draw"
	"contend/traces/page"
	"contend/traces/replay"
	"contend/traces/show"
	"contend/traces/why"
)

// A Picture is the appearance of a run.
type Picture struct {
	Trace   *traces.Trace
	Diagram *draw.Diagram // with Why above it
	Report  *show.Report
	Why     why.Explanation
	Parts   page.Parts
}

// New returns the picture of a run, up to its last replayed step.
func New(run *replay.Run) *Picture { return Explained(run, why.Explain(run)) }

// Explained returns the picture of a run with its explanation.
func Explained(run *replay.Run, because why.Explanation) *Picture {
	p := &Picture{Trace: run.Trace, Diagram: draw.New(run), Report: show.NewReport(run), Why: because, Parts: page.NewParts(run)}
	p.Why.Annotate(p.Diagram)
	return p
}

// Text writes the picture like [why.Write] writes the run.
func (p *Picture) Text(w io.Writer, style show.Style) error {
	if err := p.Report.Write(w, style); err != nil {
		return err
	}
	return p.Why.Write(w, style)
}

// Page writes the picture like [page.Write] writes the run.
func (p *Picture) Page(w io.Writer) error {
	return page.WriteParts(w, p.Trace, p.Diagram, p.Why, p.Parts)
}

// SVG writes the picture like [why.SVG] writes the run.
func (p *Picture) SVG(w io.Writer, heights string) error {
	if err := p.Diagram.Rule(heights); err != nil {
		return err
	}
	return p.Diagram.SVG(w)
}

// Differs returns the first step whose texts differ between a run and the picture. It returns 0 if there is
// none in the run, or if run is nil.
func (p *Picture) Differs(run *replay.Run) int {
	if run == nil {
		return 0
	}
	rows := draw.New(run).Rows
	for i, r := range rows[1:] {
		if was := p.Diagram.Rows[i+1]; was.What != r.What || !slices.Equal(was.Details, r.Details) {
			return i + 1
		}
	}
	return 0
}

// State writes the states of the nodes after a step. The step must be at most the number of steps.
func (p *Picture) State(w io.Writer, step int, style show.Style) error {
	if step < 0 || step > len(p.Parts.After) {
		return fmt.Errorf("state is %d, but must be 0, before the first step, to %d", step, len(p.Parts.After))
	}
	states := slices.Clone(p.Parts.First)
	for i, after := range p.Parts.After[:step] {
		if lane := p.Diagram.Rows[i+1].Lane; lane >= 0 && after != nil {
			states[lane] = *after
		}
	}
	s := show.Snapshot{When: show.When(step, p.Diagram.Rows[step].Time)}
	for i, l := range p.Diagram.Lanes {
		s.Nodes = append(s.Nodes, show.Fact{Subject: l.Name, Text: standing(l.Byzantine, states[i].String())})
	}
	return s.Write(w, style)
}

func standing(byzantine bool, fields string) string {
	if byzantine {
		return "Byzantine"
	}
	return cmp.Or(fields, "nothing set")
}
