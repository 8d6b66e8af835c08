package verify

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"contend/checker/verify/report"
	"contend/traces"
	"contend/traces/draw"
)

// pictureFlags are those with which a run is drawn.
type pictureFlags struct {
	svg     string
	mermaid bool
}

func (f *pictureFlags) bind(to *pflag.FlagSet) {
	to.StringVar(&f.svg, "svg", "", "draw the run into this `file`")
	to.BoolVar(&f.mermaid, "mermaid", false, "print the run as a Mermaid sequence diagram")
}

func (f *pictureFlags) asked() bool { return f.svg != "" || f.mermaid }

// showPicture draws the run of a trace. One that diverges is not drawn: a picture does not say
// where it ends, and why.
func (t *tool) showPicture(path string, f pictureFlags) (int, error) {
	p, tr, err := t.read(path)
	if err != nil {
		return 0, err
	}
	run, err := traces.Replay(p, tr, watched(p))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	d := draw.Of(run)
	if f.mermaid {
		return report.ExitHolds, d.Mermaid(t.out)
	}
	var picture bytes.Buffer
	if err := d.SVG(&picture); err != nil {
		return 0, err
	}
	if err := os.WriteFile(f.svg, picture.Bytes(), 0o644); err != nil {
		return 0, fmt.Errorf("svg: %w", err)
	}
	return report.ExitHolds, nil
}
