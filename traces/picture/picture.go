// Package picture holds what a run looks like as plain data: its drawing, its text, the state of each node
// after each step, and why it breaks its claim. [Record] keeps that in a trace, and [Read] reads it from
// there, so that a trace can be drawn, printed and exported without its protocol, and after
// its protocol was changed. kept.go is the form in the file, check.go refuses what does not fit together.
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

// A Picture is what a run looks like.
type Picture struct {
	Trace   *traces.Trace
	Diagram *draw.Diagram // with why above it
	Told    *show.Told
	Why     why.Explanation
	Parts   page.Parts
}

// Of makes the picture of a run, as far as it was taken.
func Of(run *replay.Run) *Picture {
	p := &Picture{Trace: run.Trace, Diagram: draw.Of(run), Told: show.Tell(run), Why: why.Of(run), Parts: page.PartsOf(run)}
	p.Why.Tell(p.Diagram)
	return p
}

// Text writes the picture as [why.Write] writes the run.
func (p *Picture) Text(w io.Writer, style show.Style) error {
	if err := p.Told.Write(w, style); err != nil {
		return err
	}
	return p.Why.Write(w, style)
}

// Page writes the picture as [page.Write] writes the run.
func (p *Picture) Page(w io.Writer) error {
	return page.WriteParts(w, p.Trace, p.Diagram, p.Why, p.Parts)
}

// SVG writes the picture as [why.SVG] writes the run.
func (p *Picture) SVG(w io.Writer, heights string) error {
	if err := p.Diagram.Rule(heights); err != nil {
		return err
	}
	return p.Diagram.SVG(w)
}

// Differs is the first step that a run takes otherwise than the picture has it; 0 where there is none among
// those that the run took, and of no run.
func (p *Picture) Differs(run *replay.Run) int {
	if run == nil {
		return 0
	}
	rows := draw.Of(run).Rows
	for i, r := range rows[1:] {
		if was := p.Diagram.Rows[i+1]; was.What != r.What || !slices.Equal(was.Details, r.Details) {
			return i + 1
		}
	}
	return 0
}

// State writes how the nodes stand after a step, in [0, the number of steps].
func (p *Picture) State(w io.Writer, step int, style show.Style) error {
	if step < 0 || step > len(p.Parts.After) {
		return fmt.Errorf("state is %d, but must be 0, before the first step, to %d", step, len(p.Parts.After))
	}
	is := slices.Clone(p.Parts.First)
	for i, after := range p.Parts.After[:step] {
		if lane := p.Diagram.Rows[i+1].Lane; lane >= 0 && after != nil {
			is[lane] = *after
		}
	}
	s := show.Stood{When: show.When(step, p.Diagram.Rows[step].Time)}
	for i, l := range p.Diagram.Lanes {
		s.Nodes = append(s.Nodes, show.Fact{Who: l.Name, Is: standing(l.Byzantine, is[i].String())})
	}
	return s.Write(w, style)
}

func standing(byzantine bool, fields string) string {
	if byzantine {
		return "Byzantine"
	}
	return cmp.Or(fields, "nothing set")
}
