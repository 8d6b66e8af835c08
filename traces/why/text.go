package why

import (
	"fmt"
	"io"
	"strings"

	"contend/traces/draw"
	"contend/traces/replay"
	"contend/traces/show"
)

// Write writes a run as [show.Text] does, and below it why it breaks its claim.
func Write(w io.Writer, run *replay.Run, style show.Style) error {
	if err := show.Text(w, run, style); err != nil {
		return err
	}
	return Of(run).Write(w, style)
}

// Write writes the sentences below a heading; nothing where there are none.
func (e Explanation) Write(w io.Writer, style show.Style) error {
	if len(e.Sentences) == 0 {
		return nil
	}
	head := "Why"
	if style.Color {
		head = "\x1b[1mWhy\x1b[0m"
	}
	if _, err := fmt.Fprintln(w, head); err != nil {
		return err
	}
	for _, says := range e.Sentences {
		if _, err := fmt.Fprintf(w, "  %s\n", strings.Join(draw.Folded(says, style.Columns()-4), "\n    ")); err != nil {
			return err
		}
	}
	return nil
}

// SVG draws a run that breaks a claim as [draw.Diagram.SVG] does, with why it does above it. Heights
// are as [draw.Diagram.Rule] has them.
func SVG(w io.Writer, run *replay.Run, heights string) error {
	d := draw.Of(run)
	if err := d.Rule(heights); err != nil {
		return err
	}
	Of(run).Tell(d)
	return d.SVG(w)
}

// Tell marks in a diagram of the run the steps of which the explanation speaks, and has the first
// sentences stand above it.
func (e Explanation) Tell(d *draw.Diagram) { d.Why, d.Told = e.Short, e.Steps }
