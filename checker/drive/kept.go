package drive

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"contend/model"
	"contend/traces"
)

// filesOf returns the files of runs that are kept in a directory.
func filesOf(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "drive-*.json")) // the pattern is well-formed
	return files
}

// Kept returns the runs of a protocol that are kept in a directory. Files that are no such runs are left out.
func Kept(dir string, p *model.Protocol, variant string, c model.Config) (all []*traces.Trace) {
	for _, file := range filesOf(dir) {
		t, err := traces.Load(file)
		if err == nil && t.Protocol == p.Name && t.Variant == variant && p.Filled(t.Config.Model()) == p.Filled(c) && !t.Timed() {
			all = append(all, t)
		}
	}
	return all
}

// Keep writes a run to a file of a directory, and returns the file: that of the same run if there is one, otherwise a
// new file.
func Keep(dir string, t *traces.Trace) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if file, err := fileOf(dir, t); file != "" || err != nil {
		return file, err
	}
	for n := 1; ; n++ {
		file := filepath.Join(dir, fmt.Sprintf("drive-%s-%d.json", t.Protocol, n))
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return file, traces.Save(file, t)
		}
	}
}

// fileOf returns the file of a run in a directory; "" if there is none.
func fileOf(dir string, t *traces.Trace) (string, error) {
	var text bytes.Buffer
	if err := traces.Write(&text, t); err != nil {
		return "", err
	}
	for _, file := range filesOf(dir) {
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text.Bytes()) {
			return file, nil
		}
	}
	return "", nil
}

// Replace keeps a run in place of the one in a file that [Keep] returned; "" if there is no such file.
func Replace(dir, file string, t *traces.Trace) (string, error) {
	same, err := fileOf(dir, t)
	switch {
	case err != nil:
		return "", err
	case file == "":
		return Keep(dir, t)
	case same == "":
		return file, traces.Save(file, t)
	case same != file:
		return same, os.Remove(file)
	}
	return file, nil
}
