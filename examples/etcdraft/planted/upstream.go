package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// Upstream runs the library's own tests with the last built bug. It returns the names of the failed tests,
// sorted. A panic ends the tests of its package, so later failures are missing.
func (w *Workshop) Upstream() ([]string, error) {
	command := exec.Command("go", "test", "-json", "-vet=off", "-timeout=120s", "./...")
	command.Dir = w.Copy
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return failures(bytes.NewReader(out))
}

// failures reads what `go test -json` says and returns the top-level tests that failed. A package whose build fails is an error.
func failures(events io.Reader) ([]string, error) {
	var failed []string
	for decoder := json.NewDecoder(events); ; {
		var event struct{ Action, Package, Test, FailedBuild string }
		if err := decoder.Decode(&event); err == io.EOF {
			slices.Sort(failed)
			return slices.Compact(failed), nil
		} else if err != nil {
			return nil, fmt.Errorf("go test -json: %w", err)
		}
		if event.FailedBuild != "" {
			return nil, fmt.Errorf("%s does not build", event.FailedBuild)
		}
		if event.Action == "fail" && event.Test != "" {
			name, _, _ := strings.Cut(event.Test, "/")
			failed = append(failed, name)
		}
	}
}
