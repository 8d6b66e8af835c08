//go:build !wasip1 && !contend_native

package machine

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/program/overlay"
)

// Tests are compiled also with a toolchain that lies in the module cache, where the go command replaces no files.
func TestToolchainInModuleCache(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module empty\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "empty_test.go"), []byte("package empty\n"), 0o644))
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(strings.TrimSpace(string(goroot)), filepath.Join(cache, "toolchain@v0.0.1")))
	t.Chdir(dir)
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOROOT", filepath.Join(cache, "toolchain@v0.0.1"))
	edits, err := overlay.Edits{Schedule: true}.Make("", t.TempDir())
	require.NoError(t, err)
	assert.NotEmpty(t, edits.Goroot)
	file := filepath.Join(t.TempDir(), "test")
	require.NoError(t, compiled(edits, file))
	wasm, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.True(t, bytes.Contains(wasm, []byte("\x07contend\x04pick")), "the module does not import what the overlay adds")
}
