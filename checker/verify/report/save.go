package report

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"contend/checker"
	"contend/traces"
)

// Save writes a counterexample, with its picture, into a directory under the first free name. A run
// that is there already is not written again, and no file is ever overwritten.
func (s Surroundings) Save(dir string, c checker.ClaimResult) (string, error) {
	return s.SaveRun(dir, c.Counterexample, c.Name)
}

// SaveRun is Save for any trace, named after its protocol, its variant and what it shows.
func (s Surroundings) SaveRun(dir string, t *traces.Trace, shows string) (string, error) {
	path, _, err := s.save(dir, t, shows)
	return path, err
}

// save also says whether the file is a new one.
func (s Surroundings) save(dir string, t *traces.Trace, shows string) (path string, fresh bool, err error) {
	var want bytes.Buffer
	if t, err = s.Picture(t); err != nil {
		return "", false, err
	}
	if err := traces.Write(&want, t); err != nil {
		return "", false, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", false, err
	}
	name := t.Protocol + "-" + shows
	if t.Variant != "" {
		name = t.Protocol + "-" + t.Variant + "-" + shows
	}
	for n := 1; ; n++ {
		path := filepath.Join(dir, fmt.Sprintf("%s-%d.json", slug(name), n))
		switch got, err := os.ReadFile(path); {
		case errors.Is(err, fs.ErrNotExist):
			return path, true, traces.Save(path, t)
		case err != nil:
			return "", false, err
		case bytes.Equal(got, want.Bytes()):
			return path, false, nil
		}
	}
}

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

// slug writes a name in lower-case letters, digits and single dashes.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}
