package viewing

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/model"
	"contend/traces/draw"
	"contend/traces/export"
	"contend/traces/page"
	"contend/traces/replay"
	"contend/traces/why"
)

// A rendering of a run of a protocol that is written into a file.
type rendering struct {
	flag, usage string
	write       func(w io.Writer, p *model.Protocol, run *replay.Run, heights string) error
}

var renderings = []rendering{
	{"html", "write a page that steps through the run to this `file`", ofRun(page.Write)},
	{"svg", "draw the run to this `file`", drawn},
	{"itf", "write the run to this `file` in the trace format of Apalache and Quint", ofRun(export.ITF)},
	{"shiviz", "write the run to this `file` as a log for ShiViz", ofRun(export.ShiViz)},
	{"porcupine", "write porcupine's page of the operations to this `file`, for a run with a claim of linearizability", judged},
}

// drawn draws a run, its heights by the rule that is asked for.
func drawn(w io.Writer, _ *model.Protocol, run *replay.Run, heights string) error {
	return why.SVG(w, run, heights)
}

// judged shows the history of a run.
func judged(w io.Writer, p *model.Protocol, run *replay.Run, _ string) error {
	return history(w, p, run)
}

// ofRun is a rendering that asks for nothing but the run.
func ofRun(write func(w io.Writer, run *replay.Run) error) func(io.Writer, *model.Protocol, *replay.Run, string) error {
	return func(w io.Writer, _ *model.Protocol, run *replay.Run, _ string) error { return write(w, run) }
}

// Picture are those with which a run is drawn, or written for other tools.
type Picture struct {
	files   []string // of the renderings
	mermaid bool
	heights string // of the rows of a picture
}

// Bind adds the flags.
func (f *Picture) Bind(to *pflag.FlagSet) {
	f.files = make([]string, len(renderings))
	for i, r := range renderings {
		to.StringVar(&f.files[i], r.flag, "", r.usage)
	}
	to.BoolVar(&f.mermaid, "mermaid", false, "print the run as a Mermaid sequence diagram")
	to.StringVar(&f.heights, "heights", "", "scale of --svg: `time` or steps (default time for a timed run whose labels remain readable)")
}

// Names lists the flags.
func (f *Picture) Names() (all []string) {
	for _, r := range renderings {
		all = append(all, r.flag)
	}
	return append(all, "mermaid")
}

// First is the first flag that is given.
func (f *Picture) First() string {
	for i, r := range renderings {
		if f.files[i] != "" {
			return r.flag
		}
	}
	return "mermaid"
}

// Asked is how many renderings are asked for.
func (f *Picture) Asked() (n int) {
	for _, file := range f.files {
		if file != "" {
			n++
		}
	}
	if f.mermaid {
		n++
	}
	return n
}

// showPicture draws the run of a trace. One that diverges is not drawn: a picture does not say
// where it ends, and why.
func showPicture(t *tool.Tool, path string, f Picture) (int, error) {
	p, tr, err := t.Read(path)
	if err != nil {
		return 0, err
	}
	run, err := replay.Replay(p, tr, tool.Watched(p))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return console.ExitHolds, f.Draw(t.Out, p, run)
}

// Draw prints or writes what is asked for.
func (f *Picture) Draw(out io.Writer, p *model.Protocol, run *replay.Run) error {
	if f.mermaid {
		return draw.Of(run).Mermaid(out)
	}
	return f.write(p, run)
}

// write writes the files that are asked for.
func (f *Picture) write(p *model.Protocol, run *replay.Run) error {
	for i, r := range renderings {
		if f.files[i] == "" {
			continue
		}
		var b bytes.Buffer
		if err := r.write(&b, p, run, f.heights); err != nil {
			return fmt.Errorf("%s: %w", r.flag, err)
		}
		if err := os.WriteFile(f.files[i], b.Bytes(), 0o644); err != nil {
			return fmt.Errorf("%s: %w", r.flag, err)
		}
	}
	return nil
}
