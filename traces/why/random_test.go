package why_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/why"
)

// What is said of random runs that break a claim is true of them.
func TestRandomRuns(t *testing.T) {
	broken := 0
	for i, file := range kept(t) {
		tr, err := traces.Load(file)
		require.NoError(t, err)
		p := protocolOf(tr)
		c, err := p.Claim(tr.Claim)
		if err != nil || c.Monitor == nil && c.Invariant == nil || c.Kind != model.Always {
			continue
		}
		drawn, _ := toy.Drive(t, p, tr.Variant, tr.Config.Model(), tr.Timed(), []model.Claim{c}, uint64(i))
		if drawn.Claim == "" {
			continue
		}
		run, err := replay.Replay(p, drawn, nil)
		require.NoError(t, err, file)
		book := ledgerOf(run)
		broken++
		for _, s := range why.Of(run).Sentences {
			assert.Empty(t, book.told(s), "%s: %s", file, s)
		}
	}
	require.Greater(t, broken, 30)
}
