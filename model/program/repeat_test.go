package program_test

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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/model"
)

// runsVariable says how many schedules two processes take, and inChild that this is the other process.
const (
	runsVariable = "CONTEND_PROGRAM_RUNS"
	inChild      = "CONTEND_PROGRAM_CHILD"
)

// Two processes come to the same observations in all schedules, with crashes, and in as many steps.
func TestTwoProcesses(t *testing.T) {
	runs := few(200)
	if n, err := strconv.Atoi(os.Getenv(runsVariable)); err == nil {
		runs = n
	}
	sum := observed(t, runs)
	if os.Getenv(inChild) != "" {
		fmt.Println("sum", sum)
		return
	}
	c := exec.Command(os.Args[0], "-test.run", "^TestTwoProcesses$")
	c.Env = append(os.Environ(), inChild+"=1", runsVariable+"="+strconv.Itoa(runs))
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	_, other, _ := strings.Cut(string(out), "sum ")
	other, _, _ = strings.Cut(other, "\n")
	assert.Equal(t, sum, other)
	t.Log(runs, "schedules:", sum)
}

// observed sums up what so many schedules observe.
func observed(t *testing.T, runs int) string {
	p := locks("nosync")
	s, err := p.System("", model.Config{Faults: model.Faults{Restarts: 2}})
	require.NoError(t, err)
	var sum atomic.Uint64
	r, err := sample.Sample(s, nil, sample.Options{Schedules: runs, Seed: 1, Timed: true, Judges: []sample.Judge{{Claim: "sum", Check: func(observations []model.Observation, complete bool) error {
		h := sha256.Sum256(fmt.Appendf(nil, "%+v %v", observations, complete))
		sum.Add(binary.LittleEndian.Uint64(h[:])) // schedules end in any order
		return nil
	}}}})
	require.NoError(t, err)
	require.EqualValues(t, runs, r.Schedules)
	return fmt.Sprintf("%x after %d steps", sum.Load(), r.Steps)
}
