package sampled_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
)

// A claim that no run tested has a note with the counts that can be raised. Times and counts at their most are none.
func TestUntestedClaimProposesLargerRuns(t *testing.T) {
	calls := model.Param[int]{Name: "calls", Meaning: "calls", Most: 9, Default: 3}
	full := model.Param[int]{Name: "full", Meaning: "as many as there can be", Most: 2, Default: 2}
	cuts := model.Param[int]{Name: "cuts", Meaning: "cuts", Most: 4}
	lease := model.Param[model.Ticks]{Name: "lease", Meaning: "a time", Most: 4}
	p := beacons(false)
	p.Params = []model.Parameter{calls, full, cuts, lease}
	p.Claims = []model.Claim{
		{Name: "nothing fails", Kind: model.Always, Source: "nowhere", Monitor: func(*model.System) model.Monitor { return &seen{false} }},
		{Name: "all is seen", Kind: model.Always, Source: "nowhere", Monitor: func(*model.System) model.Monitor { return &seen{true} }},
	}
	rows, err := checker.Check(p, model.Check{Schedules: 3}, checker.Options{})
	require.NoError(t, err)
	assert.Contains(t, rows[0].Notes, `no run tested "nothing fails": larger runs may, as --cuts is 0, --calls is 3`)
	for _, note := range rows[0].Notes {
		assert.NotContains(t, note, "all is seen")
	}
}

// A seen is tested by each observation, if at all.
type seen struct{ witness bool }

func (s *seen) Observe(w model.Watch, _ model.Observation) {
	if s.witness {
		w.Witness()
	}
}
