package why_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/why"
)

// The sentences about random runs that violate a claim, or have not reached a goal, are true. They are in
// testdata/random.txt.
func TestRandomRuns(t *testing.T) {
	var all strings.Builder
	broken, open := 0, 0
	files := kept(t)
	for seed := range uint64(3 * len(files)) {
		file := files[seed%uint64(len(files))]
		tr, err := traces.Load(file)
		require.NoError(t, err)
		p := protocolOf(tr)
		c, err := p.Claim(tr.Claim)
		if err != nil {
			continue
		}
		watched := judge.Watched([]model.Claim{c})
		drawn, _ := toy.Drive(t, p, tr.Variant, tr.Config.Model(), tr.Timed(), watched, seed)
		switch {
		case drawn.Claim != "":
			broken++
		case c.Kind != model.Always && len(drawn.Steps) < 100:
			drawn.Claim = c.Name
			open++
		default:
			continue
		}
		run, err := replay.Until(p, drawn, judge.Watched(p.Statements()), len(drawn.Steps))
		require.NoError(t, err, file)
		book := ledgerOf(run)
		e := why.Explain(run)
		fmt.Fprintf(&all, "%d: %s %s, %s, %d steps\n", seed, p.Name, drawn.Variant, drawn.Claim, len(drawn.Steps))
		for _, says := range e.Sentences {
			fmt.Fprintf(&all, "- %s\n", says)
			book = book.further(t, says)
			spoken(t, file, e, says, len(run.Records))
			assert.Empty(t, book.told(says), "%s: %s", file, says)
		}
		all.WriteString("\n")
	}
	golden(t, "random.txt", all.String())
	t.Log(broken, open)
	require.Greater(t, broken, 30)
}
