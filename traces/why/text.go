package why

import (
	"fmt"
	"io"
	"strings"

	"contend/traces/draw"
	"contend/traces/replay"
	"contend/traces/show"
)

// Write writes a run like [show.Text], and its explanation after it.
func Write(w io.Writer, run *replay.Run, style show.Style) error {
	if err := show.Text(w, run, style); err != nil {
		return err
	}
	return Explain(run).Write(w, style)
}

// Write writes the sentences below a heading; nothing if there are none.
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
	for _, sentence := range e.Sentences {
		if _, err := fmt.Fprintf(w, "  %s\n", strings.Join(draw.Fold(sentence, style.Columns()-4), "\n    ")); err != nil {
			return err
		}
	}
	return nil
}

// SVG draws a run like [draw.Diagram.SVG], with its explanation above it. Heights are as in
// [draw.Diagram.Rule].
func SVG(w io.Writer, run *replay.Run, heights string) error {
	d := draw.New(run)
	if err := d.Rule(heights); err != nil {
		return err
	}
	Explain(run).Annotate(d)
	return d.SVG(w)
}

// Annotate marks the steps of the explanation in a diagram of the run, and puts the short explanation above it.
func (e Explanation) Annotate(d *draw.Diagram) { d.Why, d.Marked = e.Short, e.Steps }
