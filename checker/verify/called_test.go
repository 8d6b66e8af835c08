package verify

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCalled: a command that is printed starts the tool in the way in which it was started, and in the
// directory in which it was started.
func TestCalled(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"mine/cmd/check", "mine/docs", "mine/my cmd", "mine/vendor/contend/cmd/verify", "contend/cmd/verify"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for _, dir := range []string{"mine", "contend"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, dir, "go.mod"), []byte("module "+dir+"\n"), 0o644))
	}
	require.NoError(t, os.Symlink(filepath.Join(root, "mine"), filepath.Join(root, "linked")))
	check, verify := &debug.BuildInfo{Path: "mine/cmd/check"}, &debug.BuildInfo{Path: "contend/cmd/verify"}
	files := &debug.BuildInfo{Path: "command-line-arguments"}
	const left, cached = "/tmp/go-build123/b001/exe/check", "/home/me/.cache/go-build/ab/cd-d/check"
	for _, x := range []struct {
		what, program string
		info          *debug.BuildInfo
		source, here  string
		want          string
	}{
		{"a program in PATH", "check", check, "mine/cmd/check/main.go", "mine", "check"},
		{"a program with its path", "./bin/check", check, "mine/cmd/check/main.go", "mine", "./bin/check"},
		{"a path with a space", "./my tools/check", check, "mine/cmd/check/main.go", "mine", "'./my tools/check'"},
		{"go run ./cmd/check", left, check, "mine/cmd/check/main.go", "mine", "go run ./cmd/check"},
		{"go run in the cache", cached, check, "mine/cmd/check/main.go", "mine", "go run ./cmd/check"},
		{"go run .", left, check, "mine/cmd/check/main.go", "mine/cmd/check", "go run ."},
		{"go run ../cmd/check", left, check, "mine/cmd/check/main.go", "mine/docs", "go run ../cmd/check"},
		{"through a link", left, check, "linked/cmd/check/main.go", "mine", "go run ./cmd/check"},
		{"a directory with a space", left, check, "mine/my cmd/main.go", "mine", "go run './my cmd'"},
		{"go run cmd/check/main.go", left, files, "mine/cmd/check/main.go", "mine", "go run ./cmd/check"},
		{"a package of another module", left, verify, "contend/cmd/verify/main.go", "mine", "go run contend/cmd/verify"},
		{"a vendored package", left, verify, "mine/vendor/contend/cmd/verify/main.go", "mine", "go run contend/cmd/verify"},
		{"without paths of files", left, check, "", "mine", "go run mine/cmd/check"},
		{"files without their paths", left, files, "", "mine", "go run ."},
	} {
		source := x.source
		if source != "" {
			source = filepath.Join(root, source)
		}
		assert.Equal(t, x.want, called(x.program, x.info, source, filepath.Join(root, x.here)), x.what)
	}
	assert.Equal(t, "go run mine/cmd/check", called(left, check, "mine/cmd/check/main.go", root), "built with -trimpath")
}

// TestSaysWhoItIs: what the tool says of itself begins with the name of the program that the user runs, which a
// suite's author may have named otherwise: no source spells a name out. Transcripts of verifyown hear it.
func TestSaysWhoItIs(t *testing.T) {
	for _, dir := range []string{"checker/verify", "cluster"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root(t), dir), func(path string, _ os.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			assert.NotRegexp(t, `"verify: |this verify `, string(source), path)
			return err
		}))
	}
}
