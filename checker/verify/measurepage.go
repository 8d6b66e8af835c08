package verify

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"contend/checker/measure"
	"contend/model"
)

// writable refuses places where the output could not be written, before anything is
// measured.
func (f *measureFlags) writable() error {
	for _, at := range []struct{ flag, dir string }{{"html", filepath.Dir(f.html)}, {"svg", f.svg}} {
		if !f.config.Flags.Changed(at.flag) {
			continue
		}
		if info, err := os.Stat(at.dir); err != nil || !info.IsDir() {
			return fmt.Errorf("--%s: there is no directory %s", at.flag, at.dir)
		}
	}
	if info, err := os.Stat(f.html); err == nil && info.IsDir() {
		return fmt.Errorf("--html is %s, but must be a file", f.html)
	}
	return nil
}

// write writes the page and the charts that are asked for.
func (f *measureFlags) write(r *measure.Report, p *model.Protocol, opt measure.Options, command string) error {
	if f.html != "" {
		var b bytes.Buffer
		if err := r.Page(&b, p, opt, command); err != nil {
			return err
		}
		if err := os.WriteFile(f.html, b.Bytes(), 0o644); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	if f.svg == "" {
		return nil
	}
	for _, c := range r.Charts() {
		if err := os.WriteFile(filepath.Join(f.svg, c.Name+".svg"), []byte(c.SVG()), 0o644); err != nil {
			return fmt.Errorf("--svg: %w", err)
		}
	}
	return nil
}
