// Package repeat tests that runs are repeatable: that two processes, with memory and randomness of their own, come to the same
// observations in the same number of steps. It is made for programs (package contend/program), and holds for all nodes.
package repeat

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"contend/checker/sample"
	"contend/model"
)

// runsVariable says how many schedules two processes take, and inChild that this is the other process.
const (
	runsVariable = "CONTEND_PROGRAM_RUNS"
	inChild      = "CONTEND_PROGRAM_CHILD"
)

// most is how many steps of a schedule count. A few schedules would take ten times as many, in which nothing happens but that servers wait for
// others that stay down.
const most = 1000

// Test samples so many schedules of a system, or as many as the environment variable CONTEND_PROGRAM_RUNS says, and runs the test that calls it
// once more, in a process of its own. It fails unless all observations are the same. The test's name is t.Name(), and it calls Test once.
func Test(t *testing.T, s *model.System, runs int) {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv(runsVariable)); err == nil {
		runs = n
	}
	sum := observed(t, s, runs)
	if os.Getenv(inChild) != "" {
		fmt.Println("sum", sum)
		return
	}
	c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	c.Env = append(os.Environ(), inChild+"=1", runsVariable+"="+strconv.Itoa(runs))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("the other process: %v\n%s", err, out)
	}
	_, other, _ := strings.Cut(string(out), "sum ")
	other, _, _ = strings.Cut(other, "\n")
	if other != sum {
		t.Errorf("the other process comes to %s, this one to %s", other, sum)
	}
	t.Log(runs, "schedules:", sum)
}

// observed sums up what so many schedules observe.
func observed(t *testing.T, s *model.System, runs int) string {
	t.Helper()
	var sum atomic.Uint64
	r, err := sample.Sample(s, nil, sample.Options{Schedules: runs, MaxSteps: most, Seed: 1, Timed: true, Judges: []sample.Judge{{Claim: "sum", Check: func(observations []model.Observation, complete bool) error {
		h := sha256.Sum256(fmt.Appendf(nil, "%+v %v", observations, complete))
		sum.Add(binary.LittleEndian.Uint64(h[:])) // schedules end in any order
		return nil
	}}}})
	if err != nil || r.Schedules != int64(runs) {
		t.Fatalf("%d of %d schedules: %v", r.Schedules, runs, err)
	}
	return fmt.Sprintf("%x after %d steps", sum.Load(), r.Steps)
}
