package schemata

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata/sample.txt")

// Each mutant of the sample does what its name says: the golden file has what the program prints with
// each. The lines of the copy are those of the original.
func TestMutants(t *testing.T) {
	in := instrument(t)
	program := build(t, in)
	var out strings.Builder
	fmt.Fprintf(&out, "original\n    %s\n", run(t, program, 0))
	for _, m := range in.Mutants {
		fmt.Fprintf(&out, "%d: %s: %s\n    - %s\n    + %s\n    %s\n", m.Line, m.Operator, m.Name, m.Old, m.New, run(t, program, m.Number))
	}
	golden := filepath.Join("testdata", "sample.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), out.String(), "go test ./checker/mutate/schemata -update")
	for path, text := range in.Files {
		if original, err := os.ReadFile(path); err == nil {
			assert.Equal(t, strings.Count(string(original), "\n"), strings.Count(string(text), "\n"), path)
		}
	}
}

// instrument makes the mutants of the sample.
func instrument(t *testing.T) *Instrumented {
	t.Helper()
	all, err := Load(".", "./testdata/sample")
	require.NoError(t, err)
	require.Len(t, all, 1)
	in, err := Instrument(all[0], Everything, 7)
	require.NoError(t, err)
	return in
}

// build compiles the program with the mutants.
func build(t *testing.T, in *Instrumented) (program string) {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for path, text := range in.Files {
		at := filepath.Join(dir, filepath.Base(path))
		require.NoError(t, os.WriteFile(at, text, 0o644))
		replace[path] = at
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644))
	program = filepath.Join(dir, "sample")
	text, err := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./testdata/sample").CombinedOutput()
	require.NoError(t, err, string(text))
	return program
}

// run is what the program prints with a mutant, and how it ends.
func run(t *testing.T, program string, mutant int, env ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, program)
	c.Env = append(append(os.Environ(), fmt.Sprintf("%s=%d", Choose, mutant), "GOMAXPROCS=1"), env...)
	out, err := c.Output()
	text := string(out)
	if ctx.Err() != nil {
		return text + " … it does not end"
	}
	if exit, ok := err.(*exec.ExitError); ok {
		first, _, _ := strings.Cut(string(exit.Stderr), "\n")
		text += fmt.Sprintf(" … exit code %d: %s", exit.ExitCode(), first)
	}
	return text
}
