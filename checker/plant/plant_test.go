package plant

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program makes the module of a program that prints whether porcupine finds a history of no operations linearizable. It depends on
// porcupine in the module cache.
func program(t *testing.T) string {
	dir := t.TempDir()
	_, here, _, _ := runtime.Caller(0)
	sum, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "..", "go.sum"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"go.mod":     "module example.com/program\n\ngo 1.26\n\nrequire github.com/anishathalye/porcupine v1.3.1\n",
		"go.sum":     string(sum),
		"main.go":    "package main\n\nimport \"github.com/anishathalye/porcupine\"\n\nfunc main() { print(porcupine.Ok) }\n",
		"lib/lib.go": "package lib\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

// says is what the program prints.
func says(t *testing.T, file string) string {
	out, err := exec.Command(file).CombinedOutput()
	require.NoError(t, err)
	return string(out)
}

// files are the contents of a module's files, by path.
func files(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}))
	return all
}

const model, ok = "model.go", `CheckResult = "Ok"`

// A program is built with an edit in a module of the module cache, and then with another in its place. Neither module changes.
func TestAModuleOfTheCacheIsEdited(t *testing.T) {
	dir := program(t)
	p, err := Open(dir, "github.com/anishathalye/porcupine", filepath.Join(t.TempDir(), "plot"))
	require.NoError(t, err)
	program, library := files(t, dir), files(t, p.source)
	file := filepath.Join(t.TempDir(), "program")
	for _, step := range []struct {
		edits []Edit
		want  string
	}{
		{nil, "Ok"},
		{[]Edit{{model, ok, `CheckResult = "Right"`}}, "Right"},
		{[]Edit{{model, ok, `CheckResult = "Right"`}, {model, `= "Right"`, `= "Left"`}}, "Left"},
		{[]Edit{{"README.md", "# Porcupine", "# Hedgehog"}}, "Ok"},
	} {
		require.NoError(t, p.Plant(step.edits...))
		require.NoError(t, p.Build(".", file))
		assert.Equal(t, step.want, says(t, file))
	}
	assert.Equal(t, program, files(t, dir))
	assert.Equal(t, library, files(t, p.source))

	assert.EqualError(t, p.Build("./lib", file), "./lib is package lib, but must be a main package")
	require.NoError(t, p.Plant(Edit{model, ok, "CheckResult = oops"}))
	assert.ErrorContains(t, p.Build(".", file), "undefined: oops")
	_, err = Open(dir, "example.com/program", t.TempDir())
	assert.ErrorContains(t, err, "example.com/program is the program's own module")
	_, err = Open(dir, "example.com/none", t.TempDir())
	assert.ErrorContains(t, err, "example.com/none: not a known dependency")
}

// A program is built with another release of a module, as that is or with an edit in it.
func TestAnotherRelease(t *testing.T) {
	dir := program(t)
	before := files(t, dir)
	p, err := Open(dir, "github.com/anishathalye/porcupine@v1.3.0", filepath.Join(t.TempDir(), "plot"))
	require.NoError(t, err)
	assert.Equal(t, "github.com/anishathalye/porcupine", p.Module)
	assert.Contains(t, p.source, "@v1.3.0")
	file := filepath.Join(t.TempDir(), "program")
	require.NoError(t, p.Build(".", file))
	assert.Equal(t, "Ok", says(t, file))
	require.NoError(t, p.Plant(Edit{model, ok, `CheckResult = "Old"`}))
	require.NoError(t, p.Build(".", file))
	assert.Equal(t, "Old", says(t, file))
	assert.Equal(t, before, files(t, dir))

	_, err = Open(dir, "github.com/anishathalye/porcupine@new", t.TempDir())
	assert.EqualError(t, err, "the version of github.com/anishathalye/porcupine is new, but must be one such as v1.2.3")
}

// An edit that cannot be made changes nothing, and the error says why.
func TestAnEditMustFit(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "log.go"), []byte("a b a z"), 0o644))
	p := &Plot{Copy: t.TempDir(), source: dir, changed: map[string]bool{}}
	for want, e := range map[string]Edit{
		`log.go: the text to replace must occur once, but occurs 2 times: "a"`: {"log.go", "a", "c"},
		`log.go: the text to replace must occur once, but occurs 0 times: "c"`: {"log.go", "c", "d"},
		`log.go: the text to replace is empty`:                                 {"log.go", "", "d"},
		`log.go: the new text is the old text: "b"`:                            {"log.go", "b", "b"},
		`../log.go: the file must be a path within the module`:                 {"../log.go", "b", "c"},
		`none.go: the module has no such file`:                                 {"none.go", "b", "c"},
	} {
		assert.EqualError(t, p.Plant(Edit{"log.go", "z", "y"}, e), want)
		assert.Empty(t, files(t, p.Copy))
	}
	require.NoError(t, p.Plant(Edit{"log.go", "b", "c"}, Edit{"log.go", "c a z", "d"}))
	assert.Equal(t, map[string]string{filepath.Join(p.Copy, "log.go"): "a d"}, files(t, p.Copy))
}
