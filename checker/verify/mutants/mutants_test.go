package mutants

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/search/decide"
	"contend/checker/verify/starter"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// A variant is neither caught nor cleared by a check that puts nothing to the test.
func TestTrialOfNothing(t *testing.T) {
	j := &plan.Plan{Protocol: starter.Protocol, Check: model.Check{Variant: "grants-twice"}}
	x, _ := tried(j, []*checker.Row{{Limit: decide.Limited(checker.NothingClaimed)}})
	assert.Equal(t, "open: nothing claimed", x.verdict())
	assert.False(t, x.fails())
}

// An option is tried by the claims that its check puts to the test; a mutant's one claim has to be.
func TestTrialUntested(t *testing.T) {
	rows := []*checker.Row{{Strategy: "exhaustive", Claims: []checker.ClaimResult{
		{Name: "some", Verdict: checker.Holds, Witnessed: true}, {Name: "mutual exclusion", Verdict: checker.Inconclusive, Limit: decide.Limited(checker.Untested)},
	}}}
	for variant, limit := range map[string]string{"stamped-replies": "", "always-polite": checker.Untested} {
		x, _ := tried(&plan.Plan{Protocol: ricartagrawala.Protocol, Check: model.Check{Variant: variant}}, rows)
		assert.Equal(t, limit, x.limit, variant)
	}
}
