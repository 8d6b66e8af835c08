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

// What is said of random runs that break a claim is true of them; and of random runs that have not come to a goal.
func TestRandomRuns(t *testing.T) {
	broken, open := 0, 0
	for i, file := range kept(t) {
		tr, err := traces.Load(file)
		require.NoError(t, err)
		p := protocolOf(tr)
		c, err := p.Claim(tr.Claim)
		if err != nil || c.Object.Step != nil || c.Kind == model.Refines {
			continue
		}
		drawn, _ := toy.Drive(t, p, tr.Variant, tr.Config.Model(), tr.Timed(), []model.Claim{c}, uint64(i))
		switch {
		case drawn.Claim != "":
			broken++
		case c.Kind != model.Always && len(drawn.Steps) < 100:
			drawn.Claim = c.Name
			open++
		default:
			continue
		}
		run, err := replay.Until(p, drawn, nil, len(drawn.Steps))
		require.NoError(t, err, file)
		book := ledgerOf(run)
		e := why.Of(run)
		for _, says := range e.Sentences {
			book = book.further(t, says)
			spoken(t, file, e, says, len(run.Records))
			assert.Empty(t, book.told(says), "%s: %s", file, says)
		}
	}
	t.Log(broken, open)
	require.Greater(t, broken, 30)
}
