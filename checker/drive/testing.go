package drive

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"contend/checker/kept"
	"contend/model"
	"contend/traces"
)

// Test fails a test if an implementation differs from a protocol in a run of the suite that covers all transitions, or
// if the suite does not cover the whole state space. The run of a difference is kept in testdata/contend, and
// replayed first by the next test.
func Test(t testing.TB, p *model.Protocol, c model.Config, target Target) {
	t.Helper()
	dir := kept.Dir(t.Name())
	opt := Options{First: Kept(dir, p, "", c)}
	file := ""
	opt.Found = func(run *traces.Trace) { file, _ = Keep(dir, run) } // the second try below reports an error
	r, err := Drive(p, "", c, target, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == Agrees {
		t.Logf("%s: %s", p.Name, r)
		return
	}
	text := ""
	if r.Difference != nil && r.Difference.Trace != nil {
		if file, err = Replace(dir, file, r.Difference.Trace); err != nil {
			text = fmt.Sprintf("\nthe run is not kept: %v", err)
		} else {
			text = fmt.Sprintf("\nkept in %s\nreplayed first by: %s", file, kept.GoTest(t.Name()))
		}
	}
	t.Fatalf("%s: %s%s", p.Name, r, text)
}

// Kept returns the runs of a protocol that are kept in a directory. Files that are no such runs are left out.
func Kept(dir string, p *model.Protocol, variant string, c model.Config) (all []*traces.Trace) {
	files, _ := filepath.Glob(filepath.Join(dir, "drive-*.json")) // the pattern is well-formed
	for _, file := range files {
		t, err := traces.Load(file)
		if err == nil && t.Protocol == p.Name && t.Variant == variant && p.Filled(t.Config.Model()) == p.Filled(c) && !t.Timed() {
			all = append(all, t)
		}
	}
	return all
}

// Keep writes a run to a new file of a directory, unless the directory has the same run, and returns the file.
func Keep(dir string, t *traces.Trace) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err := traces.Write(&text, t); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		file := filepath.Join(dir, fmt.Sprintf("drive-%s-%d.json", t.Protocol, n))
		switch old, err := os.ReadFile(file); {
		case os.IsNotExist(err):
			return file, traces.Save(file, t)
		case err == nil && bytes.Equal(old, text.Bytes()):
			return file, nil
		}
	}
}

// Replace keeps a run in place of one that [Keep] wrote to a file. It removes that file, unless the file is "".
func Replace(dir, file string, t *traces.Trace) (string, error) {
	next, err := Keep(dir, t)
	if err == nil && file != "" && file != next {
		err = os.Remove(file)
	}
	return next, err
}
