package group_test

import (
	"testing"

	"contend/checker"
	"contend/examples/walkv/group"
	"contend/model"
)

// The checks of the protocol find no violation, and each mutant is caught. Short tests sample a few schedules with crashes.
func Test(t *testing.T) {
	if !testing.Short() {
		checker.Test(t, group.Protocol)
		return
	}
	checker.TestCheck(t, group.Protocol, model.Check{Config: model.Config{Faults: model.Faults{Restarts: 2}}, Reading: model.Dense, Schedules: 8})
}
