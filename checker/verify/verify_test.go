package verify

import (
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
)

// writerFunc is a writer that does something at each write.
type writerFunc func(b []byte)

func (f writerFunc) Write(b []byte) (int, error) { f(b); return len(b), nil }

// TestInterrupt: an interrupt prints what is known and exits as a limit does.
func TestInterrupt(t *testing.T) {
	var out strings.Builder
	interrupted := false
	stdout := writerFunc(func(b []byte) {
		out.Write(b)
		if !interrupted { // the head of the table is there, so signals are caught
			interrupted = true
			require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
		}
	})
	code := Run(suite, []string{"check", "ricartagrawala", "-n", "4", "--ops", "4", "--timeout", "2m"}, stdout, io.Discard)
	assert.Equal(t, exitLimit, code)
	assert.Regexp(t, `limit: interrupted|Interrupted: 1 check was not begun`, out.String())
}

// TestStatus: away from a terminal a line is printed now and then, on one it is
// redrawn and erased.
func TestStatus(t *testing.T) {
	p := checker.Progress{Row: &checker.Row{Protocol: "p", Variant: "v"}, Distinct: 10, Elapsed: time.Second}
	var out strings.Builder
	s := newStatus(&out)
	s.update(p)
	assert.Empty(t, out.String(), "too early")
	s.last = s.last.Add(-printed)
	s.update(p)
	s.update(p)
	s.clear()
	assert.Equal(t, "p/v: 10 states (10/s), layers ×0.00, layer of 0, depth 0, 0 transitions, 0 MiB, 1s\n", out.String())

	out.Reset()
	s = &status{w: &out, width: 20}
	s.update(p)
	s.update(p)
	s.clear()
	assert.Equal(t, "\r\x1b[Kp/v: 10 states (10/\r\x1b[K", out.String())
}

// TestExitCodes: what rows come to.
func TestExitCodes(t *testing.T) {
	row := func(strategy, limit string, claims ...checker.ClaimResult) *checker.Row {
		return &checker.Row{Strategy: strategy, Limit: limit, Claims: claims}
	}
	claim := func(v checker.Verdict, limit string) checker.ClaimResult {
		return checker.ClaimResult{Verdict: v, Limit: limit}
	}
	finding := checker.ClaimResult{Verdict: checker.Violated, Finding: "F1"}
	for name, c := range map[string]struct {
		row  *checker.Row
		want int
	}{
		"holds":               {row("exhaustive", "", claim(checker.Holds, "")), exitHolds},
		"not claimed":         {row("exhaustive", "", claim(checker.NotClaimed, "")), exitHolds},
		"violated":            {row("exhaustive", "", claim(checker.Violated, "")), exitViolated},
		"finding":             {row("exhaustive", "", finding), exitHolds},
		"limit":               {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout")), exitLimit},
		"violated and limit":  {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout"), claim(checker.Violated, "")), exitViolated},
		"finding and limit":   {row("exhaustive", "timeout", claim(checker.Inconclusive, "timeout"), finding), exitLimit},
		"sampled to the end":  {row("random", "schedules", claim(checker.Inconclusive, "schedules")), exitHolds},
		"sampling timed out":  {row("random", "timeout", claim(checker.Inconclusive, "timeout")), exitLimit},
		"sampled, violated":   {row("random", "schedules", claim(checker.Violated, "")), exitViolated},
		"porcupine gave up":   {row("random", "schedules", claim(checker.Inconclusive, "porcupine")), exitLimit},
		"internal":            {row("exhaustive", "", claim(checker.Inconclusive, "internal: x"), claim(checker.Holds, "")), exitInternal},
		"internal and limit":  {row("exhaustive", "timeout", claim(checker.Inconclusive, "internal: x"), claim(checker.Inconclusive, "timeout")), exitInternal},
		"internal, violated":  {row("exhaustive", "", claim(checker.Inconclusive, "internal: x"), claim(checker.Violated, "")), exitViolated},
		"strict bound":        {row("exhaustive", "", claim(checker.Inconclusive, "strict bound")), exitLimit},
		"nothing in the row":  {row("exhaustive", ""), exitHolds},
		"limit, nothing open": {row("exhaustive", "interrupted"), exitLimit},
	} {
		assert.Equal(t, c.want, verdict([]*checker.Row{c.row}, 0), name)
	}
	assert.Equal(t, exitLimit, verdict(nil, 1), "interrupted")
}

// TestCommands: the command that a row prints makes the same check again.
func TestCommands(t *testing.T) {
	for _, p := range suite {
		for _, c := range p.Checks {
			s, err := p.System(c.Variant, c.Config)
			require.NoError(t, err)
			command := checker.Command(p, c, s.Config)
			t.Log(command)
			args := regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(command, -1)
			for i := range args {
				args[i] = strings.Trim(args[i], `"`)
			}
			j := parsed(t, args[1:])
			again, err := j.protocol.System(j.check.Variant, j.check.Config)
			require.NoError(t, err, command)
			assert.Equal(t, s.Config, again.Config, command)
			assert.Equal(t, c.Variant, j.check.Variant, command)
			assert.Equal(t, c.Reading, j.check.Reading, command)
			assert.Equal(t, c.Schedules, j.check.Schedules, command)
			assert.Equal(t, c.Claims, j.check.Claims, command)
		}
	}
}

// parsed is the one check that a command line asks for.
func parsed(t *testing.T, args []string) job {
	tl := &tool{suite: suite, out: io.Discard, err: io.Discard}
	var f checkFlags
	c := tl.checkCommand()
	c.ResetFlags()
	strategy := "exhaustive"
	if args[0] == "run" {
		strategy = "random"
	}
	f.bind(c, strategy)
	require.NoError(t, c.ParseFlags(args[1:]))
	targets, err := tl.targets(c.Flags().Args())
	require.NoError(t, err)
	jobs, err := f.jobs(targets)
	require.NoError(t, err)
	require.Len(t, jobs, 1)
	return jobs[0]
}

// TestParts: the small functions that outputs are made of.
func TestParts(t *testing.T) {
	assert.Equal(t, "backoff-lemma-1-grants-δ", slug("backoff-Lemma 1, grants/δ"))
	assert.Equal(t, `; did you mean "tries"?`, didYouMean("trys", []string{"ops", "tries"}))
	assert.Equal(t, "", didYouMean("zebra", []string{"ops", "tries"}))
	assert.Equal(t, `check 'Lemma 1' ''\''' ''`, quoted([]string{"check", "Lemma 1", "'", ""}))
	assert.Equal(t, []string{"a bb", "ccc", "d"}, wrapped([]string{"a", "bb", "ccc", "d"}, 4))
	assert.Equal(t, "1e-12", probability(3e-13))
	assert.Equal(t, "1", probability(3))
	for text, want := range map[string]int64{"4GiB": 4 << 30, "512 MiB": 512 << 20, "1.5kB": 1500, "7": 7, "7B": 7, "0": -1, "-1GiB": -1, "GiB": -1, "1e99TiB": -1, "NaN": -1} {
		var m memory
		if err := m.Set(text); err != nil {
			m = -1
		}
		assert.Equal(t, memory(want), m, text)
	}
}
