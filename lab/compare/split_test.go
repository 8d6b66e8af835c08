package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/lab/random"
)

// A search with a page that is invoked by what is seen has the same states in one process and in several, each of which
// remembers what the page answers in an order of its own. The claim holds of these callers, so the searches are complete.
func TestSplitSearchesOfDrivenPages(t *testing.T) {
	for seed, states := range map[uint64]int64{12: 113, 38: 171, 76: 171, 84: 171} {
		it, claim := random.Callers(seed)
		it.Claims = claim
		for _, parts := range []int{1, 2, 3, 5} {
			set := setting{opt: checker.Options{Workers: 1, Reduce: []string{}, Pure: true}, parts: parts}
			rows, _, err := set.check(it)
			require.NoError(t, err, "seed %d, %d parts", seed, parts)
			assert.Equal(t, checker.Holds, rows[0].Claims[0].Verdict, "seed %d, %d parts", seed, parts)
			assert.Equal(t, states, rows[0].States, "seed %d, %d parts", seed, parts)
		}
	}
}
