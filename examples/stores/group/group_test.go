package group_test

import (
	"testing"

	"contend/checker"
	"contend/examples/stores/group"
	"contend/model"
)

// The checks find no violation. Short tests sample a few schedules with crashes.
func TestGoleveldb(t *testing.T) { test(t, group.Goleveldb) }

func test(t *testing.T, p *model.Protocol) {
	if !testing.Short() {
		checker.Test(t, p)
		return
	}
	checker.TestCheck(t, p, model.Check{Config: model.Config{Faults: model.Faults{Restarts: 2}}, Reading: model.Dense, Schedules: 8})
}
