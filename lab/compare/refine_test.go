package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/lab/random"
	"contend/model"
)

// The search and brute force agree on whether random systems refine others, and both verdicts come.
func TestRefinementAgainstBruteForce(t *testing.T) {
	seeds := 100
	if *full {
		seeds = 200
	}
	features := map[string]int{}
	enough := func(v map[checker.Verdict]int) bool {
		return v[checker.Holds] >= 5 && v[checker.Violated] >= 2 && features[Driven] >= 1
	}
	verdicts := map[checker.Verdict]int{}
	for seed := range uint64(seeds) {
		if !*full && enough(verdicts) {
			break
		}
		c := &Comparison{Seed: seed}
		c.refine(random.Draw(seed), 4*small)
		for _, feature := range c.Features {
			features[feature]++
		}
		for _, claim := range c.Claims {
			if claim.Kind == model.Refines {
				verdicts[claim.Verdict]++
			}
		}
		if len(c.Problems) > 0 {
			t.Error(strings.Join(c.Problems, "\n"))
		}
	}
	assert.True(t, enough(verdicts), "%v, %v", verdicts, features)
	assert.Less(t, verdicts[checker.Inconclusive], seeds/10)
}
