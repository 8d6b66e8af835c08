package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"contend/checker/fuzzing"
	"contend/traces"
)

// inputHead begins each input that go test -fuzz keeps.
const inputHead = "go test fuzz v1\n"

// Load reads a trace, or the run of an input of a fuzz target: see [Tool.input].
func (t *Tool) Load(path string) (*traces.Trace, error) {
	if isInput(path) {
		return t.input(path)
	}
	return traces.Load(path)
}

// isInput reports whether a file is an input that go test -fuzz keeps.
func isInput(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(inputHead))
	n, _ := f.Read(head)
	return string(head[:n]) == inputHead
}

// input is the run that an input of a fuzz target stands for. Only the target knows, so go test runs it on that
// input, and it writes the run.
func (t *Tool) input(path string) (*traces.Trace, error) {
	dir, target, name, err := placeOf(path)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	out, err := os.MkdirTemp("", "contend-run-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	file := filepath.Join(out, "run.json")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		select {
		case <-t.Interrupt:
			stop()
		case <-ctx.Done():
		}
	}()
	only := fmt.Sprintf("^%s$/^%s$", target, regexp.QuoteMeta(name))
	test := exec.CommandContext(ctx, "go", "test", "-count=1", "-vet=off", "-run", only, ".")
	test.Dir, test.Env = dir, append(os.Environ(), fuzzing.RunFile+"="+file)
	t.Status.Tell(func() string { return "go test compiles " + target })
	said, failed := test.CombinedOutput()
	t.Status.Clear()
	is, err := traces.Load(file)
	switch {
	case err == nil:
		return is, nil
	case failed != nil:
		return nil, fmt.Errorf("%s: go test does not come to its run: %s", path, brief(said, failed))
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %s has no target %s of checker.Fuzz, so there is no run of it; go test -run '%s' runs it there", path, dir, target, only)
	}
	return nil, err
}

// placeOf returns the package of an input by its directory, its target and its name. The error names the expected
// place.
func placeOf(path string) (dir, target, name string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return "", "", "", err
	}
	of := filepath.Dir(path)
	target, name = filepath.Base(of), filepath.Base(path)
	corpus := filepath.Dir(of)
	if !strings.HasPrefix(target, "Fuzz") || filepath.Base(corpus) != "fuzz" || filepath.Base(filepath.Dir(corpus)) != "testdata" {
		return "", "", "", fmt.Errorf("%s: it is an input of go test -fuzz, whose run only its fuzz target knows; put it into testdata/fuzz/FuzzNAME beside that target", path)
	}
	return filepath.Dir(filepath.Dir(corpus)), target, name, nil
}

// brief returns the output of go test in one short line.
func brief(said []byte, failed error) string {
	text := strings.Join(strings.Fields(string(bytes.TrimSpace(said))), " ")
	if text == "" {
		return failed.Error()
	}
	if r := []rune(text); len(r) > 400 {
		return string(r[:400]) + "…"
	}
	return text
}
