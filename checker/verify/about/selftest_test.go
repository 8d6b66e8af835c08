package about

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker/verify/console"
	"contend/lab/compare"
)

// A disagreement outweighs an interrupt, and nothing compared is no success.
func TestSelftestCode(t *testing.T) {
	found := &compare.Tally{Compared: 2, Disagreements: []*compare.Comparison{{Seed: 1}}}
	assert.Equal(t, console.ExitViolated, selftestCode(found, false))
	assert.Equal(t, console.ExitViolated, selftestCode(found, true))
	assert.Equal(t, console.ExitHolds, selftestCode(&compare.Tally{Compared: 2}, false))
	assert.Equal(t, console.ExitLimit, selftestCode(&compare.Tally{Compared: 2}, true))
	assert.Equal(t, console.ExitLimit, selftestCode(&compare.Tally{Systems: 2}, false))
}
