package verify

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"contend/checker/verify/report"
)

// A rendering of a run that is written into a file.
type rendering struct {
	flag, usage string
	write       func(s *shown, w io.Writer, heights string) error
}

var renderings = []rendering{
	{"html", "write a page into this `file`, on which one steps through the run", plainly((*shown).page)},
	{"svg", "draw the run into this `file`", (*shown).svg},
	{"itf", "write the run into this `file` in the trace format of Apalache and Quint", plainly((*shown).itf)},
	{"shiviz", "write the run into this `file` as a log of ShiViz", plainly((*shown).shiViz)},
	{"porcupine", "write porcupine's page of the history into this `file`, of a run with a claim of linearizability", plainly((*shown).porcupine)},
}

// plainly is a rendering without heights.
func plainly(write func(s *shown, w io.Writer) error) func(*shown, io.Writer, string) error {
	return func(s *shown, w io.Writer, _ string) error { return write(s, w) }
}

// pictureFlags are those with which a run is drawn, or written for other tools.
type pictureFlags struct {
	files   []string // of the renderings
	mermaid bool
	heights string // of the rows of a picture
}

func (f *pictureFlags) bind(to *pflag.FlagSet) {
	f.files = make([]string, len(renderings))
	for i, r := range renderings {
		to.StringVar(&f.files[i], r.flag, "", r.usage)
	}
	to.BoolVar(&f.mermaid, "mermaid", false, "print the run as a Mermaid sequence diagram")
	to.StringVar(&f.heights, "heights", "", "what the heights of --svg are, `time` or steps; of a timed run it is time unless told, where that can be read")
}

// names lists the flags.
func (f *pictureFlags) names() (all []string) {
	for _, r := range renderings {
		all = append(all, r.flag)
	}
	return append(all, "mermaid")
}

// first is the first flag that is given.
func (f *pictureFlags) first() string {
	for i, r := range renderings {
		if f.files[i] != "" {
			return r.flag
		}
	}
	return "mermaid"
}

// asked is how many renderings are asked for.
func (f *pictureFlags) asked() (n int) {
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
func (t *tool) showPicture(path string, f pictureFlags) (int, error) {
	s, err := t.shown(path)
	if err != nil {
		return 0, err
	}
	return report.ExitHolds, f.draw(t.out, s)
}

// draw prints or writes what is asked for.
func (f *pictureFlags) draw(out io.Writer, s *shown) error {
	if f.mermaid {
		return s.diagram().Mermaid(out)
	}
	return f.write(s)
}

// write writes the files that are asked for.
func (f *pictureFlags) write(s *shown) error {
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
