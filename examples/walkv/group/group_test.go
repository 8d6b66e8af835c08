package group_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/repeat"
	"contend/examples/walkv/group"
	"contend/model"
	"contend/program"
)

// The checks of the protocol find no violation, and each mutant is caught. Short tests sample a few schedules with crashes, and with trouble at connections and clocks.
func Test(t *testing.T) {
	if !testing.Short() {
		checker.Test(t, group.Protocol)
		return
	}
	checker.TestCheck(t, group.Protocol, model.Check{Config: model.Config{Faults: model.Faults{Restarts: 2}}, Reading: model.Dense, Schedules: 8})
	troubles := model.Config{}.With(program.Cuts.Is(1), program.HalfOpens.Is(1), program.Refusals.Is(1), program.Jumps.Is(1))
	checker.TestCheck(t, group.Protocol, model.Check{Config: troubles, Reading: model.Dense, Schedules: 8})
}

// Two processes make the same observations in the same schedules. The figure in docs/programs.md is for 1,000
// schedules.
func TestTwoProcesses(t *testing.T) {
	s, err := group.Protocol.System("", model.Config{Faults: model.Faults{Restarts: 2}})
	require.NoError(t, err)
	repeat.Test(t, s, 20)
}
