package checker_test

import (
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl"
	"contend/model"
)

var mutants = flag.Int("mutants", 5, "compare so many minimised runs of mutants with the shortest")

// Runs of mutants that were sampled are as short, before a search has its say, as the shortest that a search finds, or nearly so: the
// median is at most 1.2 times as long.
func TestMinimizedRunsAreNearlyShortest(t *testing.T) {
	var ratios []float64
	for _, p := range impl.Suite {
		for _, v := range p.Variants {
			claim, err := p.Claim(v.Breaks)
			if err != nil || claim.Kind != model.Always || len(ratios) == *mutants {
				continue
			}
			c := v.Show
			c.Variant, c.Claims, c.Schedules = v.Name, []string{v.Breaks}, 200
			if c.Reading == model.Grid {
				c.Reading = model.Dense
			}
			rows, err := checker.Check(p, c, checker.Options{Seed: 1, NoMinimize: true})
			require.NoError(t, err)
			i := slices.IndexFunc(rows[0].Claims, func(r checker.ClaimResult) bool { return r.Name == v.Breaks })
			sampled := rows[0].Claims[max(i, 0)].Counterexample
			if i < 0 || sampled == nil {
				continue
			}
			is, report, err := checker.Minimize(p, sampled, checker.Options{MaxStates: -1}, nil)
			require.NoError(t, err)
			assert.True(t, report.Locally)
			_, best, err := checker.Minimize(p, is, checker.Options{MaxStates: 40_000}, nil)
			require.NoError(t, err)
			if !best.Shortest {
				continue
			}
			ratios = append(ratios, float64(len(is.Steps))/float64(best.To))
			t.Logf("%s/%s: %d steps sampled, %d minimised, %d the shortest", p.Name, v.Name, len(sampled.Steps), len(is.Steps), best.To)
		}
	}
	require.NotEmpty(t, ratios)
	slices.Sort(ratios)
	median := ratios[len(ratios)/2]
	t.Logf("%d mutants, median %.3f, most %.3f", len(ratios), median, ratios[len(ratios)-1])
	assert.LessOrEqual(t, median, 1.2)
}
