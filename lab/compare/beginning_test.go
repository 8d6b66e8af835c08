package compare

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/judge"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// begun are the searches that the test below has seen.
type begun struct{ systems, states, holds, violated, refused, reduced, resumed int }

// A search that begins at the end of a random run has as many states as brute force from there, and the same
// verdicts. Its counterexamples begin with the run. A search that begins after a violation is refused. With
// -full there are twice as many systems.
func TestFromTheEndOfARun(t *testing.T) {
	var seen begun
	for _, seed := range []uint64{534, 1292} { // the younger of two equal messages is chosen; the chosen message is duplicated
		seen.judge(t, seed, random.Tame(seed))
	}
	systems := uint64(100)
	if *full {
		systems *= 2
	}
	for seed := range systems {
		if it := random.Draw(seed); it.Reading == model.Untimed && len(it.Claims) > 0 {
			seen.judge(t, seed, it)
		}
	}
	t.Logf("%+v", seen)
	assert.Greater(t, min(seen.states, seen.holds, seen.violated, seen.refused, seen.reduced, seen.resumed), 2)
}

// judge compares the searches of one case, from one random run.
func (seen *begun) judge(t *testing.T, seed uint64, it random.Case) {
	r := rand.New(rand.NewPCG(seed, 71))
	g, w, records, err := oracle.After(it.System, oracle.Watched(it.Claims), 300, r, 1+r.IntN(12))
	if err != nil { // the system is too large, or is refused by its nature
		return
	}
	tr, err := traces.FromRun(traces.New(protocol(it), "", model.Config{Faults: it.System.Faults}, false, "", ""), w, 1, records)
	require.NoError(t, err)
	from := &checker.From{Trace: tr, Steps: len(tr.Steps), File: "run.json"}
	for _, set := range []setting{
		{opt: checker.Options{Reduce: []string{}, MaxStates: searched, From: from}},
		{opt: checker.Options{MaxStates: searched, From: from}},
		{opt: checker.Options{MaxStates: searched, From: from}, resumed: checkpointed(it), few: fewStates},
	} {
		rows, stopped, err := set.check(it)
		if g == nil {
			require.ErrorContains(t, err, "from: run.json violates ", "seed %d", seed)
			seen.refused++
			continue
		}
		require.NoError(t, err, "seed %d", seed)
		if seen.systems++; stopped {
			seen.resumed++
		}
		seen.count(t, seed, it, g, rows)
		seen.verdicts(t, seed, it, g, rows, tr)
	}
}

// count compares numbers of states.
func (seen *begun) count(t *testing.T, seed uint64, it random.Case, g *oracle.Graph, rows []*checker.Row) {
	linear := slices.ContainsFunc(it.Claims, func(c model.Claim) bool { return c.Kind == model.Linearizable })
	switch row := rows[0]; {
	case len(row.Reductions) > 0:
		seen.reduced++
	case !linear && it.System.Forge == nil && row.Complete && len(rows) == 1:
		seen.states++
		assert.EqualValues(t, len(g.States), row.States, "seed %d", seed)
	}
}

// verdicts compares verdicts, and replays counterexamples.
func (seen *begun) verdicts(t *testing.T, seed uint64, it random.Case, g *oracle.Graph, rows []*checker.Row, from *traces.Trace) {
	p := protocol(it)
	for i, c := range it.Claims {
		result, ok := Find(rows, c.Name)
		require.True(t, ok)
		assert.False(t, result.Internal(), "seed %d: %s: %s", seed, c.Name, result.Limit)
		truth := g.Decide(oracle.Watched(it.Claims)[i])
		assert.True(t, Claim{c.Kind, it.Reading, truth, result.Verdict}.Agrees(), "seed %d: %s: the search says %s%s, brute force %s", seed, c.Name, result.Verdict, reason(result), truth)
		switch run := result.Counterexample; {
		case result.Verdict == checker.Holds:
			seen.holds++
		case run != nil:
			seen.violated++
			assert.Equal(t, from.Steps, run.Steps[:len(from.Steps)], "seed %d", seed)
			_, err := replay.Replay(p, run, judge.Watched(p.Statements()))
			assert.NoError(t, err, "seed %d", seed)
		}
	}
}
