package group_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/repeat"
	"contend/examples/memberlist/group"
	"contend/model"
)

// The checks of the protocol find no violation, and each mutant is caught. Short tests sample two schedules with a crash and an outage.
func Test(t *testing.T) {
	if !testing.Short() {
		checker.Test(t, group.Protocol)
		return
	}
	small := model.Config{Faults: model.Faults{Restarts: 1}}.With(group.Outages.Is(1))
	checker.TestCheck(t, group.Protocol, model.Check{Config: small, Reading: model.Dense, Schedules: 2})
}

// Two processes make the same observations in the same schedules.
func TestTwoProcesses(t *testing.T) {
	s, err := group.Protocol.System("", model.Config{Faults: model.Faults{Restarts: 2}})
	require.NoError(t, err)
	repeat.Test(t, s, 2)
}
