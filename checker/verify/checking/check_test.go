package checking

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/plan"
	"contend/checker/verdict"
	"contend/checker/verify/flags"
	"contend/checker/verify/starter"
	"contend/checker/verify/tool"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// suite is what these tests check.
var suite = []*model.Protocol{backoff.Protocol, ricartagrawala.Protocol, starter.Protocol}

// TestCommands: the command that a row prints makes the same check again.
func TestCommands(t *testing.T) {
	for _, p := range suite {
		for _, c := range slices.Concat(p.Checks, p.Deep) {
			s, err := p.System(c.Variant, c.Config)
			require.NoError(t, err)
			command := verdict.Command(p, c, s.Config)
			t.Log(command)
			args := regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(command, -1)
			for i := range args {
				args[i] = strings.Trim(args[i], `"`)
			}
			j := parsed(t, args[1:])
			assert.Equal(t, s.Config, j.System.Config, command)
			assert.Equal(t, c.Variant, j.Check.Variant, command)
			assert.Equal(t, c.Reading, j.Check.Reading, command)
			assert.Equal(t, c.Schedules, j.Check.Schedules, command)
			assert.Equal(t, c.Claims, j.Check.Claims, command)
		}
	}
}

// Of the listed checks those are made that put the claims asked for to the test.
func TestListedChecksClaim(t *testing.T) {
	p := *starter.Protocol
	timed := p.Claims[0]
	timed.Assumes = []model.Assumption{model.Timed}
	p.Claims, p.Checks = []model.Claim{timed}, []model.Check{{}, {Reading: model.Grid}}
	jobs, err := listed(tool.Target{Protocol: &p}, []string{timed.Name})
	require.NoError(t, err)
	require.Len(t, jobs, 1)
	assert.Equal(t, model.Grid, jobs[0].Check.Reading)
	jobs, err = listed(tool.Target{Protocol: &p}, nil)
	require.NoError(t, err)
	assert.Len(t, jobs, 2, "without a claim asked for all are made")
}

// parsed is the one check that a command line asks for.
func parsed(t *testing.T, args []string) *plan.Plan {
	tl := &tool.Tool{Suite: suite, Out: io.Discard, Err: io.Discard}
	var f checkFlags
	c := Check(tl)
	c.ResetFlags()
	strategy := "exhaustive"
	if args[0] == "run" {
		strategy = "portfolio"
	}
	f.bind(c, suite, strategy)
	require.NoError(t, c.ParseFlags(args[1:]))
	targets, err := tl.Targets(c.Flags().Args())
	require.NoError(t, err)
	jobs, err := f.jobs(targets)
	require.NoError(t, err)
	require.Len(t, jobs, 1)
	return jobs[0]
}

// A bound stands where a configuration is given and no protocol, unless a flag gives another.
func TestBound(t *testing.T) {
	for args, want := range map[string]time.Duration{
		"": usualBound, "--timeout 5s": 5 * time.Second, "--max-states 5": 0,
	} {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		var f flags.Limits
		f.Bind(set)
		require.NoError(t, set.Parse(strings.Fields(args)))
		f.Bound(usualBound)
		opt, err := f.Options()
		require.NoError(t, err)
		assert.Equal(t, want, opt.Timeout, args)
	}
}
