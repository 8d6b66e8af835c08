package minimize_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/checker/minimize"
	"contend/traces/replay"
)

// Runs of random systems become smaller and break the same claim, and the report says how long they were and are. In nearly all of them no
// step of what is left can be left out in another way either; what is left may then be taken otherwise, which nobody tries in all ways.
func TestRandomRuns(t *testing.T) {
	var runs, from, to, less int
	for seed := range uint64(120) {
		p, tr := minimize.RandomRun(t, seed)
		if tr == nil {
			continue
		}
		is, report, err := minimize.Minimize(p, tr, minimize.Options{})
		require.NoError(t, err, "seed %d", seed)
		assert.True(t, report.Locally)
		assert.Zero(t, report.Refused)
		_, err = replay.Replay(p, is, judge.Watched(p.Statements()))
		require.NoError(t, err, "seed %d", seed)
		assert.Equal(t, tr.Claim, is.Claim)
		assert.Equal(t, []string{tr.Claim}, is.Watched)
		assert.Equal(t, []int{len(tr.Steps), len(is.Steps)}, []int{report.From, report.To})
		runs, from, to, less = runs+1, from+len(tr.Steps), to+len(is.Steps), less+min(1, len(lessThan(t, p, is)))
	}
	t.Log(runs, from, to, less)
	assert.Greater(t, runs, 20)
	assert.Less(t, to, from*2/3)
	assert.LessOrEqual(t, less, runs/25)
}
