package verify

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCI: the commands of the workflows in docs/ci.md do in a new module what the page says. A counterexample is kept where
// the first uploads it, and passes once it is mended; the second search goes on from the first.
func TestCI(t *testing.T) {
	if !*full {
		t.Skip("compiles and tests a module: -full")
	}
	page, err := os.ReadFile(filepath.Join(root(t), "docs", "ci.md"))
	require.NoError(t, err)
	blocks := fences(string(page))
	require.Len(t, blocks["yaml"], 2)
	change, night := checkedOut(t, blocks["yaml"][0]), checkedOut(t, blocks["yaml"][1])
	m := newJob(t, blocks["go"][0])

	m.edit("Grants: 1}", "Grants: 2}")
	out, code := m.run(steps(change))
	require.Equal(t, 1, code, out)
	assert.Contains(t, change, "**/testdata/contend\n", "what is uploaded")
	for _, kept := range []string{"json", "html"} {
		name := regexp.MustCompile(`testdata/contend/\S+\.` + kept).FindString(out)
		require.NotEmpty(t, name, out)
		assert.FileExists(t, filepath.Join(m.dir, "mylock", name))
	}
	m.edit("Grants: 2}", "Grants: 1}")
	m.passes(steps(change))

	search := strings.Replace(steps(night), "--timeout 5h", "--timeout 1s", 1)
	require.NotEqual(t, steps(night), search)
	m.passes(search)
	rows := m.read("rows.json")
	assert.Contains(t, rows, `"limit":"timeout"`)
	assert.Contains(t, m.passes(search), "check: resume: goes on with mylock")
}

// checkedOut is a workflow in which this repository is where it is, and whose program names its files by where they are. In
// a copy, and with -trimpath, which makes the builds of two checkouts the same, every package would be compiled once more.
func checkedOut(t *testing.T, workflow string) string {
	t.Helper()
	const copied = "-replace contend=./contend "
	require.Contains(t, workflow, copied)
	return strings.NewReplacer(copied, "-replace contend="+root(t)+" ", "go build -trimpath ", "go build ").Replace(workflow)
}

// fences are the blocks of code of a page, by their language.
func fences(page string) map[string][]string {
	all := map[string][]string{}
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		all[m[1]] = append(all[m[1]], m[2])
	}
	return all
}

// steps are the commands that a workflow runs, in their order, as one script.
func steps(workflow string) string {
	var script strings.Builder
	indent := -1 // of the block of commands that is being read
	for line := range strings.Lines(workflow) {
		body := strings.TrimLeft(line, " ")
		if at := len(line) - len(body); indent >= 0 && at > indent {
			script.WriteString(line)
			continue
		}
		indent = -1
		switch command, is := strings.CutPrefix(body, "- run: "); {
		case is && command == "|\n":
			indent = len(line) - len(body)
		case is:
			script.WriteString(command)
		}
	}
	return script.String()
}

// A job is a checkout of a module with a protocol, mylock.
type job struct {
	t   *testing.T
	dir string
}

func newJob(t *testing.T, main string) *job {
	j := &job{t, t.TempDir()}
	sums, err := os.ReadFile(filepath.Join(root(t), "go.sum"))
	require.NoError(t, err)
	j.write("go.sum", string(sums))
	j.write("go.mod", "module example.org/mine\n\ngo 1.26\n\nrequire contend v0.0.0\n\nreplace contend => "+root(t)+"\n")
	t.Chdir(j.dir)
	require.Zero(t, Run(suite, []string{"new", "mylock"}, &strings.Builder{}, os.Stderr))
	j.write("main.go", main)
	j.passes("go mod tidy")
	return j
}

func (j *job) read(name string) string {
	j.t.Helper()
	text, err := os.ReadFile(filepath.Join(j.dir, name))
	require.NoError(j.t, err)
	return string(text)
}

func (j *job) write(name, text string) {
	j.t.Helper()
	require.NoError(j.t, os.WriteFile(filepath.Join(j.dir, name), []byte(text), 0o644))
}

// edit changes the protocol.
func (j *job) edit(old, becomes string) {
	j.t.Helper()
	text := j.read("mylock/mylock.go")
	require.Contains(j.t, text, old)
	j.write("mylock/mylock.go", strings.Replace(text, old, becomes, 1))
}

// run runs a script as a job does, and returns what it prints and its exit code.
func (j *job) run(script string) (string, int) {
	j.t.Helper()
	c := exec.Command("bash", "-e", "-c", script)
	c.Dir = j.dir
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		require.NoError(j.t, err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// passes runs a script that must exit with 0, and returns what it prints.
func (j *job) passes(script string) string {
	j.t.Helper()
	out, code := j.run(script)
	require.Zero(j.t, code, "%s\n%s", script, out)
	return out
}
