package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
			"go.mod": module, "main.go": main + "import \"syscall\"\n\nvar x = syscall.Flock\n\nfunc main() {}\n"},
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
