package plant

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script is a program that does what a shell says.
func script(t *testing.T, does string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+does+"\n"), 0o755))
	return file
}

func TestCheck(t *testing.T) {
	for does, fails := range map[string]string{
		"echo rows; exit 0": "", "echo rows; exit 1": "", "echo rows; exit 3": "",
		"echo rows; echo bad >&2; exit 2": "check lock: exit status 2: bad", "echo rows; exit 70": "check lock: exit status 70: ",
	} {
		out, cpu, err := Check(script(t, does), "check", "lock")
		if fails != "" {
			assert.EqualError(t, err, fails)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, "rows\n", string(out))
		assert.Positive(t, cpu)
	}
}

func TestDivergence(t *testing.T) {
	for does, want := range map[string]string{
		"echo run.json diverges: step 3 is not there >&2; exit 1": "step 3 is not there",
		"echo reproduced": "",
	} {
		where, err := Divergence(script(t, does), "run.json")
		require.NoError(t, err)
		assert.Equal(t, want, where)
	}
	_, err := Divergence(filepath.Join(t.TempDir(), "none"), "run.json")
	assert.Error(t, err)
}
