package verify

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker/oracle/compare"
)

// A disagreement outweighs an interrupt, and nothing compared is no success.
func TestSelftestCode(t *testing.T) {
	found := &compare.Tally{Compared: 2, Disagreements: []*compare.Comparison{{Seed: 1}}}
	assert.Equal(t, exitViolated, selftestCode(found, false))
	assert.Equal(t, exitViolated, selftestCode(found, true))
	assert.Equal(t, exitHolds, selftestCode(&compare.Tally{Compared: 2}, false))
	assert.Equal(t, exitLimit, selftestCode(&compare.Tally{Compared: 2}, true))
	assert.Equal(t, exitLimit, selftestCode(&compare.Tally{Systems: 2}, false))
}
