package program_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/program/build"
	"contend/program/overlay"
)

// racy builds a program for the host's schedule with the go command in use.
func racy(t *testing.T) (built build.Built, goroot string) {
	t.Helper()
	o, err := overlay.Edits{Schedule: true}.Cached("")
	require.NoError(t, err)
	plan, err := build.Package{Path: "./testdata/racy", Overlay: o.File, Goroot: o.Goroot}.Plan()
	require.NoError(t, err)
	b, err := plan.Compile()
	require.NoError(t, err)
	return b, o.Goroot
}

// A toolchain that lies in the module cache, where the go command replaces no files, builds the module that it builds elsewhere. The module
// cache of this test has the packages of the true one, and the toolchain in use as if the go command had downloaded it.
func TestToolchainInModuleCache(t *testing.T) {
	want, goroot := racy(t)
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE", "GOCACHE").Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, 3)
	root, modules, builds := lines[0], lines[1], lines[2]
	if goroot != "" {
		t.Skipf("the toolchain in use lies in the module cache already: %s", root)
	}
	cache := t.TempDir()
	entries, err := os.ReadDir(modules)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, os.Symlink(filepath.Join(modules, e.Name()), filepath.Join(cache, e.Name())))
	}
	downloaded := filepath.Join(cache, "toolchain@v0.0.1")
	require.NoError(t, os.Symlink(root, downloaded))
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOROOT", downloaded)
	t.Setenv("GOCACHE", builds)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	got, goroot := racy(t)
	assert.NotEmpty(t, goroot)
	assert.Equal(t, want, got)
}

// The tests of whole programs and of goroutines pass with a toolchain that the go command downloads.
func TestToolchainDownloaded(t *testing.T) {
	if !*full {
		t.Skip("only with -full: it downloads a toolchain")
	}
	const other = "GOTOOLCHAIN=go1.26.7"
	version := exec.Command("go", "version")
	version.Env = append(os.Environ(), other)
	if said, err := version.CombinedOutput(); err != nil {
		t.Skipf("the go command downloads no toolchain: %v: %s", err, said)
	}
	for _, c := range []struct{ pkg, tests string }{{".", "^(TestYield|TestSlow|TestNet)"}, {"contend/program/concurrent", "^(TestEndless|TestPlanted)$"}} {
		test := exec.Command("go", "test", "-run", c.tests, c.pkg)
		test.Env = append(os.Environ(), other, "GOROOT=")
		said, err := test.CombinedOutput()
		require.NoError(t, err, "%s", said)
		assert.NotContains(t, string(said), "no tests to run")
	}
}
