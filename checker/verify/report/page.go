package report

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"

	"contend/traces"
)

// savePage writes a page of a run beside its trace. One that is there already stays as it is.
func (r *Report) savePage(trace, protocol string, t *traces.Trace) error {
	page := pageOf(trace)
	if _, err := os.Lstat(page); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var b bytes.Buffer
	if err := r.to.Page(&b, protocol, t); err != nil {
		return err
	}
	return os.WriteFile(page, b.Bytes(), 0o644)
}

// pageOf is the file of the page beside a trace.
func pageOf(trace string) string { return strings.TrimSuffix(trace, ".json") + ".html" }
