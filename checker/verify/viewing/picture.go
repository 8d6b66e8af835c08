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
	"contend/traces/replay"
)

// A rendering of a run that is written into a file.
type rendering struct {
	flag, usage string
	write       func(s *shown, w io.Writer, heights string) error
}

var renderings = []rendering{
	{"html", "write a page that steps through the run to this `file`", plainly((*shown).page)},
	{"svg", "draw the run to this `file`", (*shown).svg},
	{"itf", "write the run to this `file` in the trace format of Apalache and Quint", plainly((*shown).itf)},
	{"shiviz", "write the run to this `file` as a log for ShiViz", plainly((*shown).shiViz)},
	{"porcupine", "write porcupine's page of the operations to this `file`, for a run with a claim of linearizability", plainly((*shown).porcupine)},
}

// plainly is a rendering without heights.
func plainly(write func(s *shown, w io.Writer) error) func(*shown, io.Writer, string) error {
	return func(s *shown, w io.Writer, _ string) error { return write(s, w) }
}

// A Picture has the flags for drawings of a run, and for files of other tools.
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

// Count returns the number of requested renderings.
func (f *Picture) Count() (n int) {
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

// showPicture draws the run of a trace. It draws no run that diverges: a picture does not show where and why.
func showPicture(t *tool.Tool, path string, f Picture) (int, error) {
	s, err := shownAs(t, path)
	if err != nil {
		return 0, err
	}
	return console.ExitHolds, f.draw(t.Out, s)
}

// Draw prints or writes the requested renderings of a run.
func (f *Picture) Draw(out io.Writer, p *model.Protocol, run *replay.Run) error {
	return f.draw(out, &shown{protocol: p, run: run})
}

func (f *Picture) draw(out io.Writer, s *shown) error {
	if f.mermaid {
		return s.diagram().Mermaid(out)
	}
	return f.write(s)
}

// write writes the requested files.
func (f *Picture) write(s *shown) error {
	for i, r := range renderings {
		if f.files[i] == "" {
			continue
		}
		var b bytes.Buffer
		if err := r.write(s, &b, f.heights); err != nil {
			return fmt.Errorf("%s: %w", r.flag, err)
		}
		if err := os.WriteFile(f.files[i], b.Bytes(), 0o644); err != nil {
			return fmt.Errorf("%s: %w", r.flag, err)
		}
	}
	return nil
}
