package console

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"contend/traces"
)

// SaveRun writes a trace into a directory under the first free name, made of its protocol, its variant and what it
// shows. It overwrites no file. fresh is false if the directory has the run already.
func SaveRun(dir string, t *traces.Trace, shows string) (path string, fresh bool, err error) {
	return saveRun(dir, t, shows, "")
}

// ReplaceRun is SaveRun for a run that replaces another run of the same protocol, whose file SaveRun wrote. It
// removes that file only after the new one is written.
func ReplaceRun(dir string, t *traces.Trace, shows, file string) (path string, err error) {
	path, _, err = saveRun(dir, t, shows, file)
	if err == nil && path != file {
		_ = os.Remove(file) // else it stays beside the other
	}
	return path, err
}

// saveRun writes a trace under the first name that is free, or that of the file to replace.
func saveRun(dir string, t *traces.Trace, shows, replaces string) (path string, fresh bool, err error) {
	var want bytes.Buffer
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
		case errors.Is(err, fs.ErrNotExist), path == replaces:
			return path, true, traces.Save(path, t)
		case err != nil:
			return "", false, err
		case bytes.Equal(got, want.Bytes()):
			return path, false, nil
		}
	}
}

// slug writes a name in lower-case letters, digits and single dashes.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return strings.Join(words, "-")
}
