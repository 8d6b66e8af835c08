package compare

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

var (
	update = flag.Bool("update", false, "draw the seeds of the test anew")
	full   = flag.Bool("full", false, "compare all systems of the file, and not the first quarter")
)

// Seeds of the test, of systems that are small enough. They are in a file, since most random systems are too
// large to be explored quickly.
const (
	seeds      = "testdata/seeds"
	small      = 60  // states
	fewSystems = 300 // of which the file lists the seeds
)

// The search and brute force agree on some hundreds of random systems. The search decides most claims of each
// kind in each reading, except the claims that it leaves open by design.
func TestSearchAgreesWithBruteForce(t *testing.T) {
	if *update {
		draw(t)
	}
	data, err := os.ReadFile(seeds)
	require.NoError(t, err)
	tally := NewTally()
	results := make(chan *Comparison, fewSystems)
	todo := make(chan uint64, fewSystems)
	lines := strings.Fields(string(data))
	switch {
	case testing.Short():
		lines = lines[:fewSystems/8]
	case !*full:
		lines = lines[:fewSystems/4]
	}
	for _, line := range lines {
		seed, err := strconv.ParseUint(line, 10, 64)
		require.NoError(t, err)
		todo <- seed
	}
	n := len(todo)
	close(todo)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for seed := range todo {
				results <- Compare(seed, small)
			}
		}()
	}
	for range n {
		tally.Add(<-results)
	}
	assert.Equal(t, n, tally.Compared, "systems that %s lists are too large by now: go test ./lab/compare -update", seeds)
	assert.GreaterOrEqual(t, tally.Resumed, n/10, "too few searches are resumed")
	for _, c := range tally.Disagreements {
		t.Error(strings.Join(c.Problems, "\n"))
	}
	for _, row := range Rows() {
		if *full {
			shares(t, row, tally.Rows[row])
		}
	}
}

// shares checks that enough claims were decided. In dense time only claims of reachability are decided.
// Untimed systems have no coins.
func shares(t *testing.T, row Row, n *Count) {
	name := fmt.Sprintf("%v, %v", row.Kind, row.Reading)
	safety := row.Kind == model.Always || row.Kind == model.Sometimes || row.Kind == model.Linearizable
	if row.Kind == model.AlmostSurely && row.Reading == model.Untimed || !safety && row.Reading == model.Dense {
		return
	}
	assert.GreaterOrEqual(t, n.Claims, 10, "%s: too few claims are compared", name)
	assert.GreaterOrEqual(t, n.Decided*10, n.Claims*4, "%s: %d of %d claims are decided", name, n.Decided, n.Claims)
	assert.LessOrEqual(t, n.Missed*10, n.Claims*2, "%s: of %d claims %d are left open that brute force decides", name, n.Claims, n.Missed)
}

// draw looks for the seeds of small systems.
func draw(t *testing.T) {
	list := []string{"100733"} // a search resumed from a checkpoint did not report what had been absorbed before
	for seed := uint64(0); len(list) < fewSystems; seed++ {
		if c := Compare(seed, small); c.Skipped == "" {
			list = append(list, fmt.Sprint(seed))
		}
	}
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	require.NoError(t, os.WriteFile(seeds, []byte(strings.Join(list, "\n")+"\n"), 0o644))
}

// What a verdict of the search may be against what brute force says.
func TestAgrees(t *testing.T) {
	for _, x := range []struct {
		truth oracle.Verdict
		may   []checker.Verdict
	}{
		{oracle.Holds, []checker.Verdict{checker.Holds}},
		{oracle.Violated, []checker.Verdict{checker.Violated}},
		{oracle.Open, nil},
		{oracle.Either, []checker.Verdict{checker.Holds, checker.Violated}},
		{oracle.NotHeld, []checker.Verdict{checker.Violated}},
	} {
		for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Inconclusive, checker.NotClaimed} {
			want := v == checker.Inconclusive || v == checker.NotClaimed
			for _, m := range x.may {
				want = want || m == v
			}
			assert.Equal(t, want, Claim{Truth: x.truth, Verdict: v}.Agrees(), "brute force says %s, the search %s", x.truth, v)
		}
	}
}

// A verdict or a number of states that differs from brute force is reported with the seed, and counted.
func TestDisagreementsAreReported(t *testing.T) {
	for seed := uint64(0); ; seed++ {
		it := random.Draw(seed)
		truth, err := oracle.Judge(it.System, it.Claims, it.Reading, small)
		if err != nil || truth.States == 0 || truth.Verdicts[0] != oracle.Holds || it.Claims[0].Kind != model.Always || it.System.Forge != nil {
			continue
		}
		ways := settings(seed, it)[:1]
		right := &Comparison{Seed: seed}
		right.checkAll(it, truth, ways)
		require.Empty(t, right.Problems)

		truth.Verdicts[0], truth.States = oracle.Violated, truth.States+1
		wrong := &Comparison{Seed: seed}
		wrong.checkAll(it, truth, ways)
		require.Len(t, wrong.Problems, 2)
		assert.Contains(t, wrong.Problems[0], fmt.Sprintf("seed %d ", seed))
		assert.Contains(t, wrong.Problems[0], "the search says holds, brute force violated")
		assert.Contains(t, wrong.Problems[1], fmt.Sprintf("states, not %d", truth.States))

		tally := NewTally()
		tally.Add(right)
		tally.Add(wrong)
		assert.Equal(t, []*Comparison{wrong}, tally.Disagreements)
		assert.Equal(t, 1, tally.Rows[Row{model.Always, it.Reading}].Disagreements)
		return
	}
}

// What brute force refuses the search refuses, or has nothing to decide; else the two disagree.
func TestWhatOneRefuses(t *testing.T) {
	c := Compare(3002501, 200) // Start leads beyond a cut, and in dense time none of its claims is decided
	assert.Contains(t, c.Skipped, "Start leads beyond a cut")
	assert.Empty(t, c.Problems)

	c = &Comparison{}
	c.skip(random.Case{System: made(model.Faults{}, does{}), Claims: []model.Claim{{Name: "done", Done: true}}}, errors.New("no"))
	require.Len(t, c.Problems, 1)
	tally := NewTally()
	tally.Add(c)
	assert.Equal(t, []*Comparison{c}, tally.Disagreements)
}

// A run compares the same systems, and reports them in the same order, whatever the number of concurrent
// comparisons. It stops on request.
func TestRun(t *testing.T) {
	run := func(workers int, stop func() bool) (seeds []uint64, tally *Tally) {
		tally = Run(Options{Seed: 7, Systems: 12, States: 20, Workers: workers, Stop: stop,
			Each: func(c *Comparison, so *Tally) {
				seeds = append(seeds, c.Seed)
				assert.Equal(t, len(seeds), so.Systems)
			}})
		return seeds, tally
	}
	never := func() bool { return false }
	one, first := run(1, never)
	two, second := run(3, never)
	assert.Equal(t, []uint64{7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}, one)
	assert.Equal(t, one, two)
	assert.Equal(t, first.Compared, second.Compared)
	assert.Equal(t, first.Rows, second.Rows)
	asked := 0
	some, _ := run(1, func() bool { asked++; return asked > 3 })
	assert.Len(t, some, 3)
}

// Systems about which the two once disagreed. In 2055592 one state leads beyond a cut. From another state the
// goal cannot be reached, but time can only stop there. In 6002283 a goal that no run reaches is next to a
// claim of probability, whose search has more states.
func TestSeedsThatDisagreed(t *testing.T) {
	for _, seed := range []uint64{2055592, 6002283} {
		if c := Compare(seed, 200); c.Skipped != "" || len(c.Problems) > 0 {
			t.Errorf("seed %d: %s %q", seed, c.Skipped, c.Problems)
		}
	}
}

// A goal that no run reaches is violated, as in brute force. The states of its search are counted, not the
// states of the claim of probability. That search has additional states, in which a coin was tossed.
func TestAGoalThatIsNotReachedIsCompared(t *testing.T) {
	rings := does{start: func(_ *runner, env model.Env) { env.After("rings", model.Uniform(0, 1)) }, timeout: func(_ *runner, env model.Env) { env.Note(0) }}
	it := random.Case{System: made(model.Faults{}, rings), Reading: model.Grid, Claims: []model.Claim{
		{Name: "goal", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &saw{first: model.Crashed} }},
		{Name: "surely", Kind: model.AlmostSurely, Monitor: func(*model.System) model.Monitor { return &called{} }},
	}}
	truth, err := oracle.Judge(it.System, it.Claims, it.Reading, small)
	require.NoError(t, err)
	require.Equal(t, 2, truth.States) // the alarm is set, or has rung
	c := &Comparison{}
	c.checkAll(it, truth, []setting{plainly, reduced})
	assert.Empty(t, c.Problems)
	require.Len(t, c.Claims, 4)
	for i, claim := range c.Claims {
		want := []Claim{{model.Sometimes, model.Grid, oracle.Violated, checker.Violated}, {model.AlmostSurely, model.Grid, oracle.Holds, checker.Holds}}[i%2]
		assert.Equal(t, want, claim)
	}
}

// A claim that the search does not decide is reported. Random claims have no assumptions, so each claim is
// compared.
func TestWhatIsNotClaimedIsReported(t *testing.T) {
	it := random.Case{System: made(model.Faults{Loss: 1}, does{}, does{}), Claims: []model.Claim{
		{Name: "safe", Kind: model.Always, Assumes: []model.Assumption{model.NoLoss}, Invariant: func([]model.Node) error { return nil }},
		{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }},
	}}
	truth, err := oracle.Judge(it.System, it.Claims, it.Reading, small)
	require.NoError(t, err)
	c := &Comparison{}
	c.checkAll(it, truth, []setting{plainly})
	require.Len(t, c.Problems, 1)
	assert.Contains(t, c.Problems[0], "safe, an invariant: it is not claimed: it assumes no loss")
}

// A search that times out before its first checkpoint is not resumed: its process may still run, with its
// lock.
func TestWithoutTimeNothingIsResumed(t *testing.T) {
	set := setting{opt: checker.Options{Workers: 1, Reduce: []string{}, MaxStates: searched, Timeout: time.Nanosecond}, resumed: true, few: fewStates}
	seen := 0
	for seed := range uint64(30) {
		it := random.Draw(seed)
		if !checkpointed(it) {
			continue
		}
		rows, stopped, err := set.check(it)
		if err != nil {
			continue // a refusal
		}
		seen++
		assert.False(t, stopped)
		assert.True(t, slices.ContainsFunc(rows, outOfTime), "seed %d", seed)
	}
	assert.Positive(t, seen)
}
