package group

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
)

// A few schedules of each check violate no claim.
func Test(t *testing.T) {
	for _, c := range Protocol.Checks {
		c.Schedules = 8
		checker.TestCheck(t, Protocol, c)
	}
}

// A node that crashes while it leaves, and starts again soon, stays "leaving" for another node.
func TestLeavingForEver(t *testing.T) {
	t.Chdir(t.TempDir()) // for traces
	c := model.Check{Config: model.Config{Faults: model.Faults{Restarts: 2}}.With(Leaves.Is(1)), Reading: model.Dense, Schedules: 100, Claims: []string{listed}}
	rows, err := checker.Check(Protocol, c, checker.Options{NoMinimize: true})
	require.NoError(t, err)
	require.Equal(t, checker.Violated, rows[0].Verdict)
}
