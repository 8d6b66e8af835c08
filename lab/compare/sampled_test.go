package compare

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

// What sampling says is violated, brute force says too: of claims that a run has to reach a goal, runs that end without it
// are found. Claims that hold, or that no run which ends refutes, are left open.
func TestSampledRunsThatMissTheirGoal(t *testing.T) {
	wanted := 6
	if *full {
		wanted = 300
	}
	violated, missed := 0, 0
	for seed := uint64(0); violated < wanted && seed < 20_000; seed++ {
		it := random.Draw(seed)
		it.Claims = slices.DeleteFunc(it.Claims, func(c model.Claim) bool { return c.Kind != model.Eventually })
		if it.Reading == model.Grid || len(it.Claims) == 0 {
			continue
		}
		truth, err := oracle.Judge(it.System, it.Claims, it.Reading, 120)
		if err != nil {
			continue
		}
		rows, err := checker.Check(protocol(it), model.Check{Reading: it.Reading, Schedules: 30, Config: model.Config{Faults: it.System.Faults}}, checker.Options{Workers: 1, Seed: seed})
		require.NoError(t, err, "seed %d", seed)
		for i, claim := range it.Claims {
			result, ok := Find(rows, claim.Name)
			if !ok {
				continue
			}
			got := Claim{claim.Kind, it.Reading, truth.Verdicts[i], result.Verdict}
			assert.True(t, got.Agrees(), "seed %d (%v): %s is %s, brute force says %s", seed, it, claim.Name, got.Verdict, got.Truth)
			assert.NotEqual(t, checker.Holds, got.Verdict, "seed %d", seed)
			switch {
			case got.Verdict == checker.Violated:
				violated++
				assert.NotNil(t, result.Counterexample, "seed %d", seed)
			case got.Truth == oracle.Violated:
				missed++
			}
		}
	}
	assert.GreaterOrEqual(t, violated, wanted)
	t.Logf("%d are refuted by a sampled run, %d by brute force only", violated, missed)
}
