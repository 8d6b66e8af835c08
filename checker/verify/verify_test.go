package verify

import (
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/verify/report"
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
	assert.Equal(t, report.ExitLimit, code)
	assert.Regexp(t, `limit: interrupted|Interrupted: 1 check was not begun`, out.String())
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
			again, err := j.Protocol.System(j.Check.Variant, j.Check.Config)
			require.NoError(t, err, command)
			assert.Equal(t, s.Config, again.Config, command)
			assert.Equal(t, c.Variant, j.Check.Variant, command)
			assert.Equal(t, c.Reading, j.Check.Reading, command)
			assert.Equal(t, c.Schedules, j.Check.Schedules, command)
			assert.Equal(t, c.Claims, j.Check.Claims, command)
		}
	}
}

// parsed is the one check that a command line asks for.
func parsed(t *testing.T, args []string) report.Job {
	tl := &tool{suite: suite, out: io.Discard, err: io.Discard}
	var f checkFlags
	c := tl.checkCommand()
	c.ResetFlags()
	strategy := "exhaustive"
	if args[0] == "run" {
		strategy = "random"
	}
	f.bind(c, suite, strategy)
	require.NoError(t, c.ParseFlags(args[1:]))
	targets, err := tl.targets(c.Flags().Args())
	require.NoError(t, err)
	jobs, err := f.jobs(targets)
	require.NoError(t, err)
	require.Len(t, jobs, 1)
	return jobs[0]
}
