package group_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/examples/election/group"
	"contend/model"
)

// A few schedules of each check violate no claim.
func Test(t *testing.T) {
	for _, c := range group.Protocol.Checks {
		c.Schedules = 8
		checker.TestCheck(t, group.Protocol, c)
	}
}

// A candidate that resigns during an update keeps the lease that the update takes.
func TestCancelledCandidate(t *testing.T) {
	t.Chdir(t.TempDir()) // for traces
	c := model.Check{Variant: "releases", Reading: model.Dense, Schedules: 200, Claims: []string{"a candidate that resigns holds no lease"}}
	rows, err := checker.Check(group.Protocol, c, checker.Options{NoMinimize: true})
	require.NoError(t, err)
	require.Equal(t, checker.Violated, rows[0].Verdict)
}
