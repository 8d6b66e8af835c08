package verify

import (
	"flag"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify/starter"
	"contend/checker/verify/tool"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

var (
	update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")
	full   = flag.Bool("full", false, "compute docs/tables.md, follow docs/ci.md, and compile in transcripts what takes long, too")
)

// suite is what the transcripts check. It is fixed, so that a new protocol changes
// none of them.
var suite = []*model.Protocol{backoff.Protocol, ricartagrawala.Protocol, starter.Protocol}

// tools are the tools that transcripts run: verify over good protocols, verifybad over bad ones, verifyown over one with
// parameters of its own, verifyfailing over one whose code fails, verifydisputed over one whose steps are disputed, verifytable over a
// table of a text that errs. They show no real times.
var tools = map[string]tooling{
	"verify": {suite, []Addition{timeless{}}}, "verifybad": {badSuite, []Addition{timeless{}}}, "verifyown": {ownSuite, []Addition{timeless{}}},
	"verifyfailing": {failingSuite, []Addition{timeless{}}}, "verifydisputed": {disputedSuite, []Addition{timeless{}}},
	"verifytable": {suite, []Addition{printedTable, timeless{}}},
}

// tooling is what a tool is made of.
type tooling struct {
	suite []*model.Protocol
	more  []Addition
}

// TestMain makes the test binary serve as these tools.
func TestMain(m *testing.M) {
	programs := map[string]func(){}
	for name, of := range tools {
		programs[name] = func() { Main(of.suite, of.more...) }
	}
	testscript.Main(m, programs)
}

// timeless is a tool that prints no real times.
type timeless struct{}

func (timeless) addTo(t *tool.Tool) { t.Seconds = func(float64) float64 { return 0 } }

// TestScripts are transcripts of every verb, of each exit code, and of bad input.
func TestScripts(t *testing.T) {
	places := map[string]string{"ROOT": root(t)}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		places[name] = strings.TrimSpace(string(out))
	}
	scripts, err := filepath.Abs(filepath.Join("testdata", "script"))
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir: scripts, UpdateScripts: *update, RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "jsonlines": jsonLines},
		Condition: func(name string) (bool, error) {
			if name != "full" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return *full, nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			for name, value := range places {
				e.Setenv(name, value)
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
