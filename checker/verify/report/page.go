package report

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"

	"contend/checker/explain"
)

// savePage writes the page of a run beside its trace, unless there is a page.
func (r *Report) savePage(trace string, v *explain.Violation) error {
	page := pageOf(trace)
	if _, err := os.Lstat(page); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	picture, err := v.Picture()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := picture.Page(&b); err != nil {
		return err
	}
	return os.WriteFile(page, b.Bytes(), 0o644)
}

// pageOf returns the file of the page beside a trace.
func pageOf(trace string) string { return strings.TrimSuffix(trace, ".json") + ".html" }
