//go:build unix

package verify

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
)

// writerFunc is a writer that does something at each write.
type writerFunc func(b []byte)

func (f writerFunc) Write(b []byte) (int, error) { f(b); return len(b), nil }

// interrupting is an addition that interrupts the tool as soon as it hears signals.
type interrupting struct{ t *testing.T }

func (i interrupting) addTo(*tool.Tool) {
	require.NoError(i.t, syscall.Kill(os.Getpid(), syscall.SIGINT))
}

// TestInterrupt: an interrupt prints what is known and exits as a limit does.
func TestInterrupt(t *testing.T) {
	var out strings.Builder
	code := Run(suite, []string{"check", "ricartagrawala", "-n", "4", "--ops", "4", "--timeout", "2m"}, &out, io.Discard, interrupting{t})
	assert.Equal(t, console.ExitLimit, code)
	assert.Regexp(t, `limit: interrupted|Interrupted: 1 check was not started`, out.String())
}

// signalled is an addition that gives the tool two signals, one on the heels of the other, as GNU timeout does.
type signalled struct{ t *testing.T }

func (s signalled) addTo(t *tool.Tool) {
	require.NoError(s.t, syscall.Kill(os.Getpid(), syscall.SIGINT))
	<-t.Interrupt
	time.Sleep(50 * time.Millisecond) // the tool has returned to its default handling by then, where it does so at once
	require.NoError(s.t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
}

// A second signal that follows the first at once is the same wish: what is known is printed.
func TestTwoSignalsAtOnce(t *testing.T) {
	var out, errs strings.Builder
	code := Run(suite, []string{"check", "ricartagrawala", "-n", "4", "--ops", "4", "--timeout", "2m"}, &out, &errs, signalled{t})
	assert.Equal(t, console.ExitLimit, code)
	assert.Regexp(t, `limit: interrupted|Interrupted: 1 check was not started`, out.String())
	assert.Equal(t, 1, strings.Count(errs.String(), "stopping"), errs.String())
}

// A signal that comes a second later ends the tool, whatever it does: here a handler that does not return, which the
// first does not end before it has run for seconds.
func TestLaterSignalEndsTheTool(t *testing.T) {
	s := stopping(t, 500*time.Millisecond)
	time.Sleep(graceful + 200*time.Millisecond)
	s.signal(syscall.SIGTERM)
	assert.Equal(t, -1, s.exit())
}

// stopping starts the tool, interrupts it after a while, and returns when the tool says so. A tool that the signal killed had not begun to
// handle signals. Then another one has twice as long.
func stopping(t *testing.T, after time.Duration) *started {
	s := &started{t: t, cmd: exec.Command("verifyfailing", "check", "clumsy/waits")}
	s.cmd.Dir = t.TempDir()
	said, err := s.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	time.Sleep(after)
	s.signal(os.Interrupt)
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if strings.Contains(lines.Text(), "stopping") {
			return s
		}
	}
	require.Less(t, after, time.Minute)
	return stopping(t, 2*after)
}

// A started tool is a process of its own, in a directory of its own, whose temporary files go into
// the directory tmp there.
type started struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err bytes.Buffer
}

// start starts the tool with a search that takes minutes.
func start(t *testing.T, dir string, flags ...string) *started {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "tmp"), 0o755))
	args := append([]string{"check", "ricartagrawala", "-n", "4", "--ops", "4", "--claim", "mutual exclusion"}, flags...)
	s := &started{t: t, cmd: exec.Command("verify", args...)}
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = dir, &s.out, &s.err
	s.cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"))
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	return s
}

// until waits for something to be so.
func (s *started) until(is func() bool) {
	s.t.Helper()
	for begin := time.Now(); !is(); time.Sleep(5 * time.Millisecond) {
		require.Less(s.t, time.Since(begin), 2*time.Minute, "it never came to that")
	}
}

func (s *started) signal(sig os.Signal) { require.NoError(s.t, s.cmd.Process.Signal(sig)) }

// exit is its exit code, or -1 when a signal killed it.
func (s *started) exit() int {
	s.t.Helper()
	err := s.cmd.Wait()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return failed.ExitCode()
	}
	require.NoError(s.t, err)
	return 0
}

// names lists what is in a directory and below it.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	require.NoError(t, filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		if path != dir {
			all = append(all, path)
		}
		return err
	}))
	return all
}

// Each signal that asks to stop ends a search with what is known of it, and with a checkpoint from
// which it goes on; and so does a time limit.
func TestSignalsKeepCheckpoints(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			continue // as SIGHUP is under nohup, which the tool respects
		}
		dir := t.TempDir()
		s := start(t, dir, "--checkpoint", "kept")
		s.until(func() bool { locks, _ := filepath.Glob(filepath.Join(dir, "kept", "*", "lock")); return len(locks) > 0 })
		s.signal(sig)
		assert.Equal(t, console.ExitLimit, s.exit(), "%v: %s", sig, s.err.String())
		assert.Contains(t, s.err.String(), "verify: "+sig.String()+": stopping; a signal a second or more later ends the tool at once\n")
		stopsWithCheckpoint(t, dir, "interrupted", s)
	}
	dir := t.TempDir()
	s := start(t, dir, "--checkpoint", "kept", "--timeout", "200ms")
	assert.Equal(t, console.ExitLimit, s.exit())
	stopsWithCheckpoint(t, dir, "timeout", s)
}

func stopsWithCheckpoint(t *testing.T, dir, limit string, s *started) {
	t.Helper()
	assert.Contains(t, s.out.String(), "the search stopped at its limit: "+limit)
	assert.Contains(t, s.out.String(), "a checkpoint is kept, from which it goes on with --resume")
	assert.Contains(t, s.out.String(), "Inconclusive ("+limit+"): 1 verdict.")
	assert.Empty(t, names(t, filepath.Join(dir, "tmp")))

	again := start(t, dir, "--resume", "kept", "--timeout", "1ms")
	assert.Equal(t, console.ExitLimit, again.exit(), again.err.String())
	assert.Regexp(t, `^verify: resume: goes on with ricartagrawala, after layer \d+ with \d+ states and \d+s of searching\n`, again.err.String())
}

// However a search ends whose states go to files, none is left: after a signal, after two, and when
// it is killed.
func TestSignalsLeaveNoFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files are looked for under /proc")
	}
	for _, signals := range [][]os.Signal{{syscall.SIGTERM}, {os.Interrupt, os.Interrupt}} {
		assert.Empty(t, leftBy(t, signals...), "%v", signals)
	}
	// One that is killed just when it makes a file, which it unlinks at once, leaves that; it is not
	// so every time.
	left := leftBy(t, syscall.SIGKILL)
	for range 4 {
		if len(left) > 0 {
			left = leftBy(t, syscall.SIGKILL)
		}
	}
	assert.Empty(t, left, "killed")
}

// leftBy lists what a search whose states go to files leaves when it is given signals.
func leftBy(t *testing.T, signals ...os.Signal) []string {
	t.Helper()
	dir := t.TempDir()
	s := start(t, dir, "--max-memory", "64MiB")
	s.until(func() bool { return spilled(s.cmd.Process.Pid) })
	for _, sig := range signals {
		_ = s.cmd.Process.Signal(sig) // it may be over after the first
	}
	assert.NotEqual(t, console.ExitHolds, s.exit(), "%v: it was over before the signal came", signals)
	return names(t, filepath.Join(dir, "tmp"))
}

// spilled reports whether a process has files of a search open.
func spilled(pid int) bool {
	links, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "fd", "*"))
	for _, l := range links {
		if path, err := os.Readlink(l); err == nil && strings.Contains(path, "contend-search-") {
			return true
		}
	}
	return false
}
