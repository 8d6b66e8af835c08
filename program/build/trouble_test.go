package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/program/overlay"
)

// What the go command refuses is told as what it is: only code that is not for wasip1 does not compile for it.
func TestTrouble(t *testing.T) {
	const module, main = "module m\n\ngo 1.26\n", "package main\n\n"
	for want, files := range map[string]map[string]string{
		"program .: its module does not list all that it needs: run go mod tidy in DIR:\nmain.go:3:8: missing go.sum entry for": {
			"go.mod": module + "require golang.org/x/sync v0.10.0\n", "main.go": main + "import \"golang.org/x/sync/errgroup\"\n"},
		"program .: its module does not list all that it needs: run go mod tidy in DIR:\nmain.go:3:8: no required module provides": {
			"go.mod": module, "main.go": main + "import \"golang.org/x/sync/errgroup\"\n"},
		"program .: go list fails in DIR: go: errors parsing go.mod:": {"go.mod": module + "bogus line\n", "main.go": main},
		"program .: go list fails in DIR: main.go:3:8: package m/b is not in std": {
			"go.mod": module, "main.go": main + "import \"m/b\"\n"},
		"program .: it does not compile for GOOS=wasip1: if it compiles for other systems, leave out m/b by a build tag": {
			"go.mod": module, "main.go": main + "import _ \"m/b\"\n", "b/b.go": "//go:build linux\n\npackage b\n"},
		"program .: it does not compile for GOOS=wasip1: if it compiles for other systems, leave out m by a build tag": {
			"go.mod": module, "main.go": main + "import \"syscall\"\n\nvar x = syscall.UnixRights\n\nfunc main() {}\n"},
	} {
		dir := t.TempDir()
		for name, text := range files {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		plan, err := Package{Path: ".", Dir: dir}.Plan()
		if err == nil {
			_, err = plan.Compile()
		}
		assert.ErrorContains(t, err, strings.ReplaceAll(want, "DIR", dir))
	}
}

// A package that is all cgo is refused for native guests, too, with a way out.
func TestOnlyCgo(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "main.go": "package main\n\nimport _ \"m/b\"\n\nfunc main() {}\n", "b/b.go": "package b\n\nimport \"C\"\n"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	_, err := Package{Path: ".", Dir: dir, Native: true}.Plan()
	assert.ErrorContains(t, err, "program .: it does not compile for linux/amd64 without cgo: if it compiles for other systems, leave out m/b by a build tag, or replace it in go.mod by one without cgo:\n")
}

// A package of Config.Linux has its files for Linux, and Config.Overlay replaces files beside the edits of the checker. The built module does not depend on where
// the package is.
func TestLinux(t *testing.T) {
	o, err := overlay.Edits{Files: true}.Cached("")
	require.NoError(t, err)
	var sums []string
	for range 2 {
		dir := t.TempDir()
		write := func(name, text string) {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		write("go.mod", "module m\n\ngo 1.26\n")
		write("main.go", "package main\n\nimport \"m/b\"\n\nfunc main() { println(b.Lock(1), added) }\n")
		write("b/b_linux.go", "package b\n\nimport \"syscall\"\n\nfunc Lock(fd int) error { return syscall.Flock(fd, syscall.LOCK_EX) }\n")
		write("b/b_other.go", "//go:build !linux\n\npackage b\n")
		write("added.txt", "package main\n\nconst added = 1\n")
		write("own.json", `{"Replace": {"added.go": "added.txt"}}`)
		p := Package{Path: ".", Dir: dir, Overlay: o.File, Goroot: o.Goroot, Own: filepath.Join(dir, "own.json"), Files: true}
		plan, err := p.Plan()
		require.NoError(t, err)
		_, err = plan.Compile()
		assert.ErrorContains(t, err, "leave out m by a build tag, or replace it in go.mod, or list it in Config.Linux")
		p.Linux = []string{"m/b"}
		plan, err = p.Plan()
		require.NoError(t, err)
		assert.Equal(t, []string{races}, plan.escapes)
		b, err := plan.Compile()
		require.NoError(t, err)
		sums = append(sums, b.Sum)
		p.Own = o.File
		_, err = p.Plan()
		assert.ErrorContains(t, err, "which the checker edits: leave it out")
	}
	assert.Equal(t, sums[0], sums[1])
}
