package cluster_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The commands of the workflow in docs/ci.md do as the page says: the second night goes on with the campaign of the first.
func TestRecipe(t *testing.T) {
	page, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?ms)^```yml\n(.*?)^```$").FindSubmatch(page)
	if block == nil {
		t.Fatal("the page has no workflow of a campaign")
	}
	steps := regexp.MustCompile(`(?ms)^      - run: \|\n((?:          .*?\n)+)`).FindSubmatch(block[1])
	if steps == nil {
		t.Fatalf("the workflow has no step of several commands:\n%s", block[1])
	}
	dir := t.TempDir()
	t.Chdir(dir)
	tool, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("check", fmt.Appendf(nil, "#!/bin/sh\nexec %s \"$@\"\n", tool), 0o755); err != nil {
		t.Fatal(err)
	}
	script := strings.NewReplacer("mylock", "backoff -n 2", "--schedules 100000", "--schedules 200", "-- check --", "--",
		"timeout --preserve-status --signal INT 5h ", "", "--repeat", "--repeat --for 1s").Replace(string(steps[1]))
	night := func() string {
		out, err := exec.Command("bash", "-e", "-c", script).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s\n%s", err, script, out)
		}
		return string(out)
	}
	says(t, night(), "campaign nightly is stopped: its budget of 1s is spent")
	first := summed(t, start3(t, "campaign", "results", "nightly", "--json"))
	says(t, night(), "campaign nightly is stopped: its budget of 1s is spent")
	second := summed(t, start3(t, "campaign", "results", "nightly", "--json"))
	if second.Done < first.Done || second.Jobs < first.Jobs {
		t.Errorf("after the second night %d of %d jobs are done, after the first %d of %d", second.Done, second.Jobs, first.Done, first.Jobs)
	}
	if _, err := os.Stat("campaign.html"); err != nil {
		t.Error(err)
	}
}

// start3 runs the tool. It may exit with open jobs.
func start3(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	out, err := c.Output()
	if code := c.ProcessState.ExitCode(); code != 0 && code != 3 {
		t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}
