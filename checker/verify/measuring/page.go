package measuring

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"contend/checker/measure"
	"contend/checker/verify/flags"
	"contend/model"
)

// writable refuses places where the output cannot be written, before anything is measured.
func (f *measureFlags) writable() error {
	if f.config.Flags.Changed("html") {
		if err := flags.WritableFile("html", f.html); err != nil {
			return err
		}
	}
	if f.config.Flags.Changed("svg") {
		return flags.WritableDirectory("svg", f.svg)
	}
	return nil
}

// write writes the requested page and charts.
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
	if err := os.MkdirAll(f.svg, 0o755); err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	for _, c := range r.Charts() {
		if err := os.WriteFile(filepath.Join(f.svg, c.Name+".svg"), []byte(c.SVG()), 0o644); err != nil {
			return fmt.Errorf("--svg: %w", err)
		}
	}
	return nil
}
