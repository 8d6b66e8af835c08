package verify

import (
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify/console"
	"contend/checker/verify/starter"
	"contend/checker/verify/tool"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

var (
	update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")
	full   = flag.Bool("full", false, "compute docs/tables.md and follow docs/ci.md, too")
)

// suite is what the transcripts check. It is fixed, so that a new protocol changes
// none of them.
var suite = []*model.Protocol{backoff.Protocol, ricartagrawala.Protocol, starter.Protocol}

// TestMain makes the test binary serve as the tool in transcripts: verify over good
// protocols, verifybad over bad ones, verifyown over one with parameters of its own, verifyfailing
// over one whose code fails, verifydisputed over one whose steps are disputed, verifytable over a table of a text that errs. They show no real times.
func TestMain(m *testing.M) {
	tool := func(suite []*model.Protocol, more ...Addition) func() {
		return func() {
			Main(suite, append(more, timeless{})...)
		}
	}
	testscript.Main(m, map[string]func(){"verify": tool(suite), "verifybad": tool(badSuite), "verifyown": tool(ownSuite),
		"verifyfailing": tool(failingSuite), "verifydisputed": tool(disputedSuite), "verifytable": tool(suite, Tables(printedTable))})
}

// timeless is a tool that prints no real times.
type timeless struct{}

func (timeless) addTo(t *tool.Tool) { t.Seconds = func(float64) float64 { return 0 } }

// TestScripts are transcripts of every verb, of each exit code, and of bad input.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"), UpdateScripts: *update, RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "jsonlines": jsonLines},
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root(t))
			e.Setenv("NO_COLOR", "1")
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
				out, err := exec.Command("go", "env", name).Output()
				if err != nil {
					return err
				}
				e.Setenv(name, strings.TrimSpace(string(out)))
			}
			return nil
		},
	})
}

// root is the directory of this module.
func root(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	require.NoError(t, err)
	return filepath.Dir(strings.TrimSpace(string(out)))
}

// TestOutsideModule starts a protocol in a module of its own and tests it there.
func TestOutsideModule(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	dir, repository := t.TempDir(), root(t)
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	require.NoError(t, err)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.sum", string(sums))
	write("go.mod", "module example.org/mine\n\ngo 1.26\n\nrequire contend v0.0.0\n\nreplace contend => "+repository+"\n")
	write("main.go", `package main

import (
	"contend/checker/verify"
	"contend/model"
	"example.org/mine/mylock"
)

func main() { verify.Main([]*model.Protocol{mylock.Protocol}) }
`)
	t.Chdir(dir)
	require.Equal(t, console.ExitHolds, Run(suite, []string{"new", "mylock"}, &strings.Builder{}, os.Stderr))
	for _, args := range [][]string{{"mod", "tidy"}, {"vet", "./..."}, {"test", "./mylock"}, {"run", ".", "mylock"}} {
		out, err := exec.Command("go", args...).CombinedOutput()
		require.NoError(t, err, "go %v: %s", args, out)
	}
}

// How long the long verbs take over the whole suite is told before they start, and not of a part of it.
func TestForewarned(t *testing.T) {
	figures := []Addition{Figure{"check", "a year"}, Figure{"mutants", "a day"}}
	for args, want := range map[string]string{
		"check": "verify: the whole suite takes about a year\n", "": "verify: the whole suite takes about a year\n",
		"mutants": "verify: the whole suite takes about a day\n", "check starter": "", "mutants starter": "", "check --claim idle": "",
		"list": "",
	} {
		var err strings.Builder
		Run(suite[2:], append(strings.Fields(args), "--json"), io.Discard, &err, figures...)
		if strings.Contains(args, "idle") {
			assert.NotContains(t, err.String(), "takes", args)
			continue
		}
		assert.Equal(t, want, err.String(), args)
	}
}
