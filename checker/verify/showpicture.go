package verify

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"contend/checker/verify/report"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/page"
)

// pictureFlags are those with which a run is drawn.
type pictureFlags struct {
	html, svg string // files
	mermaid   bool
}

func (f *pictureFlags) bind(to *pflag.FlagSet) {
	to.StringVar(&f.html, "html", "", "write a page into this `file`, on which one steps through the run")
	to.StringVar(&f.svg, "svg", "", "draw the run into this `file`")
	to.BoolVar(&f.mermaid, "mermaid", false, "print the run as a Mermaid sequence diagram")
}

// asked is how many pictures are asked for.
func (f *pictureFlags) asked() (n int) {
	for _, is := range []bool{f.html != "", f.svg != "", f.mermaid} {
		if is {
			n++
		}
	}
	return n
}

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
	if f.mermaid {
		return report.ExitHolds, draw.Of(run).Mermaid(t.out)
	}
	flag, file := "html", f.html
	var b bytes.Buffer
	if f.svg != "" {
		flag, file = "svg", f.svg
		err = draw.Of(run).SVG(&b)
	} else {
		err = page.Write(&b, run)
	}
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		return 0, fmt.Errorf("%s: %w", flag, err)
	}
	return report.ExitHolds, nil
}
