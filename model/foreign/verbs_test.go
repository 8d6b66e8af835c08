package foreign_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/sample"
	"contend/lab/oracle"
	"contend/model"
	"contend/model/foreign"
	"contend/traces/replay"
	"contend/traces/show"
)

var restarted = model.Check{Config: model.Config{Faults: model.Faults{Restarts: 1}}}

// Brute force gives the same result for the two, and so do samples.
func TestAlikeByOtherMeans(t *testing.T) {
	judged := map[string]*oracle.Judgement{}
	fails := map[string][]bool{}
	for name, p := range both() {
		s, err := p.System("", model.Config{Faults: model.Faults{Loss: 1}})
		require.NoError(t, err)
		judged[name], err = oracle.Judge(s, p.Claims, model.Untimed, 10_000)
		require.NoError(t, err)
		rows, err := checker.Check(p, model.Check{Config: restarted.Config, Schedules: 50}, checker.Options{Seed: 1})
		require.NoError(t, err)
		for _, c := range rows[0].Claims {
			fails[name] = append(fails[name], c.Verdict == checker.Violated)
		}
		chance := rand.New(rand.NewPCG(1, 2))
		target := checker.Target{Protocol: p, Configure: func(sample.Choices) model.Check { return restarted }}
		for range 20 {
			data := make([]byte, 200)
			for i := range data {
				data[i] = byte(chance.Uint32())
			}
			_, err := target.Run(data)
			fails[name] = append(fails[name], err != nil)
		}
	}
	assert.Equal(t, judged["plain"], judged["foreign"])
	assert.Equal(t, fails["plain"], fails["foreign"])
	assert.Contains(t, fails["plain"], true)
}

// A trace of one is a run of the other, with the same steps.
func TestTracesOfEachOther(t *testing.T) {
	of := both()
	rows, err := checker.Check(of["plain"], restarted, checker.Options{})
	require.NoError(t, err)
	tr := rows[0].Claims[0].Counterexample
	require.NotNil(t, tr)
	var told [2]bytes.Buffer
	for i, name := range []string{"plain", "foreign"} {
		run, err := replay.Replay(of[name], tr, nil)
		require.NoError(t, err)
		require.NoError(t, show.Text(&told[i], run, show.Style{Width: 400}))
	}
	broken := func(b bytes.Buffer) (lines []string) {
		for l := range strings.Lines(b.String()) {
			if strings.Contains(l, "✗") {
				lines = append(lines, l)
			}
		}
		return lines
	}
	assert.NotEmpty(t, broken(told[0]))
	assert.Equal(t, broken(told[0]), broken(told[1]))
	for _, line := range []string{
		"Sum: 2 → 3; disk.saved: 2 → 3; of[1]: none → {who: 1, many: 1}; sends total{3} to c1", // the sum is shown once
		"  server  Sum: 6\n",
	} {
		assert.Contains(t, told[1].String(), line)
	}
}

// A search resumes from a checkpoint in another process without any objects.
func TestResumed(t *testing.T) {
	check := restarted
	check.Claims = []string{"at most nine"}
	whole, err := checker.Check(both()["foreign"], check, checker.Options{})
	require.NoError(t, err)
	opt := checker.Options{Checkpoints: t.TempDir(), MaxStates: 2000}
	for _, resume := range []bool{false, true} {
		opt.Resume = resume
		rows, err := checker.Check(both()["foreign"], check, opt)
		require.NoError(t, err)
		if opt.MaxStates = 0; resume {
			assert.Equal(t, whole[0].States, rows[0].States)
			assert.Equal(t, whole[0].Verdict, rows[0].Verdict)
		} else {
			require.NotEmpty(t, rows[0].Limit)
		}
	}
}

// An object that fails violates the protocol, where it fails.
func TestAnObjectFails(t *testing.T) {
	row, err := told(telling(func(t *teller, _ model.Env, word string) {
		if word == "b" && t.said["c"] {
			var nobody *teller
			nobody.inner.last = word
		}
	}))
	require.NoError(t, err)
	require.Len(t, row.Claims, 2)
	c := row.Claims[1]
	assert.Equal(t, model.NoHandlerFails, c.Name)
	assert.Equal(t, checker.Violated, c.Verdict)
	assert.Regexp(t, `^Receive of teller on "b" .*invalid memory address.*foreign/verbs_test.go:\d+\)$`, c.Text)
	assert.Len(t, c.Counterexample.Steps, 2)
}

// The cost is counted.
func TestStats(t *testing.T) {
	lib := library()
	_, err := checker.Check(counting(lib.Node, func(n model.Node) int { return n.(*foreign.Node[seen]).View.Sum }), restarted, checker.Options{})
	require.NoError(t, err)
	s := lib.Stats()
	assert.Positive(t, s.Compared)
	assert.Less(t, s.Restored, s.Runs)
	assert.Less(t, s.Replayed, 4*s.Restored, "one that is near is at hand")
	assert.LessOrEqual(t, s.States, s.Runs)
	assert.Positive(t, s.Held)
}
