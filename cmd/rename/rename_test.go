package main

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var full = flag.Bool("full", false, "vet all modules under the new path, and test some packages")

// The path is changed where it is one, and not where its name is a word, a part of a longer path or a directory.
func TestText(t *testing.T) {
	text := newText("contend", "example.org/x/contend", []string{"checker", "model"})
	for in, want := range map[string]string{
		`import "contend/model"`:                              `import "example.org/x/contend/model"`,
		"module contend\n":                                    "module example.org/x/contend\n",
		"module contend/model/more\n":                         "module example.org/x/contend/model/more\n",
		"\tcontend v0.0.0\n\nreplace contend => ../..\n":      "\texample.org/x/contend v0.0.0\n\nreplace example.org/x/contend => ../..\n",
		"-require contend@v0.0.0 -replace contend=../contend": "-require example.org/x/contend@v0.0.0 -replace example.org/x/contend=../contend",
		`"go list contend/..."`:                               `"go list example.org/x/contend/..."`,
		`strings.TrimPrefix(path, "contend/")`:                `strings.TrimPrefix(path, "example.org/x/contend/")`,
		"[contend/checker.Test] and contend/checker":          "[example.org/x/contend/checker.Test] and example.org/x/contend/checker",
		// These stay.
		`kept in testdata/contend/model.json`:   "",
		"clients contend, contend-traces/model": "",
		`"example.org/x/contend/model"`:         "",
		"spin='' contend='' workers=''":         "",
		"`contend` at time 0":                   "",
		"contend/elsewhere":                     "",
		`class="contend"`:                       "",
	} {
		if want == "" {
			want = in
		}
		assert.Equal(t, want, string(text.rename([]byte(in))), in)
	}
}

// What cannot be done is said in a sentence, and nothing is changed.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.mod", "module contend\n")
	for _, path := range []string{"", "contend", "Example.org/a b", "example.org/", "-x.org/a", "https://example.org/a"} {
		_, err := rename(dir, path)
		assert.ErrorContains(t, err, "the path cannot be that of a module", path)
	}
	_, err := rename(dir, "example.org/a")
	assert.ErrorContains(t, err, "not a git repository")
	command(t, dir, "git", "init", "-q")
	_, err = rename(dir, "example.org/a")
	assert.EqualError(t, err, "the working tree has uncommitted changes, such as go.mod: commit or stash them first")
	commit(t, dir)
	changed, err := rename(dir, "example.org/a")
	require.NoError(t, err)
	assert.Equal(t, 1, changed)
	changed, err = rename(dir, "example.org/a") // again, with the change not committed
	require.NoError(t, err)
	assert.Zero(t, changed)
}

// TestRename sees to it that nothing in a renamed copy of this repository imports the old path. With -full every module is vetted
// there, and some packages are tested.
func TestRename(t *testing.T) {
	if testing.Short() {
		t.Skip("copies the repository")
	}
	const path = "example.org/x/contend"
	dir := t.TempDir()
	duplicate(t, dir)
	_, err := rename(dir, path)
	require.NoError(t, err)
	assert.Equal(t, path, strings.TrimSpace(command(t, dir, "go", "list", "-m")))
	for _, file := range imports(t, dir) {
		for _, spec := range file.Imports {
			assert.False(t, strings.HasPrefix(spec.Path.Value, `"contend/`), "%s: %s", file.Name, spec.Path.Value)
		}
	}
	if *full {
		for _, mod := range modules(t, dir) {
			if strings.TrimSpace(command(t, mod, "go", "list", "./...")) == "" {
				continue // it lists tools alone
			}
			command(t, mod, "go", "vet", "./...") // which compiles what each package imports
		}
		command(t, dir, "go", "build", "./...")
		command(t, dir, "go", "test", "-short", "./model", "./model/value", "./checker/verify/flags", "./checker/verify/glossary")
		command(t, dir, "go", "test", "-run", "Rooms|ToolLinks|Guide", "./checker")
	}
}

// imports parses the imports of all Go files below dir.
func imports(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		files = append(files, file)
		return err
	}))
	return files
}

// duplicate copies the tracked files of this repository, as they are now, into a repository in dir.
func duplicate(t *testing.T, dir string) {
	t.Helper()
	top := strings.TrimSpace(command(t, ".", "git", "rev-parse", "--show-toplevel"))
	for name := range strings.SplitSeq(strings.Trim(command(t, top, "git", "ls-files", "-z"), "\x00"), "\x00") {
		info, err := os.Lstat(filepath.Join(top, name))
		if os.IsNotExist(err) || err == nil && info.Mode()&fs.ModeType != 0 {
			continue
		}
		require.NoError(t, err)
		text, err := os.ReadFile(filepath.Join(top, name))
		require.NoError(t, err)
		to := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, text, info.Mode().Perm()))
	}
	command(t, dir, "git", "init", "-q")
	commit(t, dir)
}

func commit(t *testing.T, dir string) {
	t.Helper()
	command(t, dir, "git", "add", "-A")
	command(t, dir, "git", "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "all")
}

// modules returns the directories of the modules in a repository.
func modules(t *testing.T, dir string) (all []string) {
	t.Helper()
	for name := range strings.Lines(command(t, dir, "git", "ls-files", "go.mod", "*/go.mod")) {
		all = append(all, filepath.Join(dir, filepath.Dir(strings.TrimSpace(name))))
	}
	require.Greater(t, len(all), 3)
	return all
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	require.NoError(t, err, "%s %v: %s%s", name, args, out, stderr.String())
	return string(out)
}
