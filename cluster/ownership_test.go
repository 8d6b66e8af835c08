package cluster_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A campaign that another process runs is not resumed beside it; once that process was killed, it is.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	gate := filepath.Join(dir, "gate")
	t.Setenv(gateFile, gate)
	start := process(t, dir, "campaign", "start", "one", "--workers", "1", "--silence", "1s", "--", "check", "gated", "-n", "1")
	os.Unsetenv(gateFile)
	waits(t, "its worker has the job", func() bool {
		return answers("status", "one") && len(statusOf(t, "one").Workers) == 1
	})
	waits(t, "it says that resume goes on", func() bool { return strings.Contains(said(t, dir), "campaign one is kept in contend-campaigns") })
	_, errs := verifies(t, 2, "campaign", "resume", "one")
	says(t, errs, "campaign one runs already, in the process that has the server of contend-campaigns")
	if strings.Count(errs, "\n") != 1 {
		t.Errorf("it is one sentence: %s", errs)
	}
	start.end()
	out, _ := verifies(t, 0, "campaign", "resume", "one", "--workers", "1", "--json")
	if s := summed(t, out); s.Done != 1 {
		t.Errorf("resumed, it came to %+v", s)
	}
}
