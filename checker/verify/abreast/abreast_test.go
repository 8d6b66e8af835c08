package abreast_test

import (
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/verify/abreast"
	"contend/checker/verify/checking"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/starter"
	"contend/checker/verify/tool"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// quick is a protocol of three checks, of which the middle one is violated.
func quick() *model.Protocol {
	p := *starter.Protocol
	p.Checks = []model.Check{{}, {Variant: "grants-twice"}, {Config: model.Config{}.With(model.Clients.Is(3), model.Ops.Is(1))}}
	return &p
}

// However many checks run at the same time, what is printed is the same, in the same order: violations too, which are told of
// before their check is over.
func TestChecksAbreast(t *testing.T) {
	t.Chdir(t.TempDir())
	second, third := *quick(), *quick()
	second.Name, third.Name = "second", "third"
	suite := []*model.Protocol{quick(), &second, &third}
	beside := int64(0)
	printed := func(args ...string) string {
		var out, violations strings.Builder
		tl := &tool.Tool{Suite: suite, Out: &out, Err: &violations, Status: console.NewStatus(io.Discard), Seconds: func(float64) float64 { return 0 }, Beside: beside}
		c := checking.Check(tl)
		c.SetArgs(args)
		require.NoError(t, c.Execute())
		return violations.String() + out.String() + "exit code " + string(rune('0'+tl.Code))
	}
	hows := [][]string{{}, {"--rows"}}
	if testing.Short() {
		hows = hows[:1] // the race detector takes ten times as long
	}
	for _, how := range hows {
		one := printed(append(how, "--workers", "1", "--out", "runs")...)
		assert.Contains(t, one, "mutual-exclusion")
		assert.Contains(t, one, "exit code 1")
		for _, workers := range []string{"2", "5"} {
			assert.Equal(t, one, printed(append(how, "--workers", workers, "--out", "runs")...), workers)
		}
		beside = 60 // of the nine checks three have fewer states
		assert.Equal(t, one, printed(append(how, "--workers", "3", "--out", "runs")...), "large searches are made anew")
		assert.Equal(t, printed(append(how, "--workers", "1", "--max-states", "90", "--out", "runs")...),
			printed(append(how, "--workers", "3", "--max-states", "90", "--out", "runs")...))
		beside = 0
	}
}

// Flags for the resources of one search have the checks run one after another.
func TestChecksOneByOne(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{nil, 8}, {[]string{"--workers", "2"}, 2}, {[]string{"--workers", "1"}, 1}, {[]string{"--max-states", "9"}, 8},
		{[]string{"--timeout", "1s"}, 1}, {[]string{"--max-memory", "1GiB"}, 1}, {[]string{"--checkpoint", "ck"}, 1},
	} {
		var limits flags.Limits
		command := &cobra.Command{}
		limits.Bind(command.Flags())
		require.NoError(t, command.ParseFlags(c.args))
		opt, err := limits.Options()
		require.NoError(t, err)
		if opt.Workers == 0 {
			opt.Workers = 8
		}
		assert.Equal(t, c.want, abreast.Width(&limits, opt), "%q", c.args)
	}
}

// abreastly runs checks at the same time, and returns the limits of the rows that are reported.
func abreastly(t *testing.T, interrupt <-chan struct{}, jobs []*plan.Plan, n int) (limits []string, skipped int, err error) {
	tl := &tool.Tool{Out: io.Discard, Err: io.Discard, Interrupt: interrupt, Status: console.NewStatus(io.Discard)}
	skipped, err = abreast.Run(tl, jobs, checker.Options{}, n, abreast.Sink{Over: func(_ *plan.Plan, rows []*checker.Row) error {
		for _, row := range rows {
			limits = append(limits, row.Limit.String())
		}
		return nil
	}})
	return limits, skipped, err
}

// planned plans a check.
func planned(t *testing.T, p *model.Protocol, c model.Check) *plan.Plan {
	t.Helper()
	j, err := plan.New(p, c)
	require.NoError(t, err)
	return j
}

// An interrupt ends the checks that run, and the others do not begin.
func TestChecksAbreastAreInterrupted(t *testing.T) {
	interrupt := make(chan struct{})
	last := quick()
	begun := sync.OnceFunc(func() { close(interrupt) })
	last.Claims = slices.Clone(last.Claims)
	monitor := last.Claims[0].Monitor
	last.Claims[0].Monitor = func(s *model.System) model.Monitor { begun(); return monitor(s) }
	long := model.Check{Config: model.Config{N: 4}.With(model.Ops.Is(4)), Claims: []string{"mutual exclusion"}}
	jobs := []*plan.Plan{planned(t, ricartagrawala.Protocol, long)}
	for range 3 {
		jobs = append(jobs, planned(t, last, model.Check{}))
	}
	limits, skipped, err := abreastly(t, interrupt, jobs, 2)
	require.NoError(t, err)
	require.NotEmpty(t, limits)
	assert.Equal(t, "interrupted", limits[0])
	assert.GreaterOrEqual(t, skipped, 2)
	assert.Equal(t, len(jobs), len(limits)+skipped)
}

// What is wrong with a check, and a bug of the checker, end all of them.
func TestChecksAbreastFail(t *testing.T) {
	long := planned(t, ricartagrawala.Protocol, model.Check{Config: model.Config{N: 4}.With(model.Ops.Is(4)), Claims: []string{"mutual exclusion"}})
	wrong := planned(t, backoff.Protocol, model.Check{Reading: model.Grid, Schedules: 1})
	_, _, err := abreastly(t, nil, []*plan.Plan{wrong, long}, 2)
	assert.ErrorContains(t, err, "time is grid")
	assert.Panics(t, func() { _, _, _ = abreastly(t, nil, []*plan.Plan{{Rows: []*plan.Row{nil}}, long}, 2) })
}
