package group_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/repeat"
	"contend/examples/stores/group"
	"contend/model"
	"contend/program"
)

// A few schedules with crashes find no violation in the stores, with what their bugs need around them.
func Test(t *testing.T) {
	for _, p := range []*model.Protocol{group.Goleveldb, group.Nutsdb, group.Pebble, group.Badger} {
		for _, c := range p.Checks {
			c.Schedules = 8
			checker.TestCheck(t, p, c)
		}
	}
}

// Bbolt and goleveldb run in WebAssembly, too, which is all that some platforms have.
func TestWasm(t *testing.T) {
	for p, variant := range map[*model.Protocol]string{group.Goleveldb: "recovers", group.Bbolt: "careful"} {
		c := model.Config{Faults: model.Faults{Restarts: 2}}.With(group.Slow.Is(5), program.Guest.Is(program.Wasm))
		checker.TestCheck(t, p, model.Check{Variant: variant, Config: c, Reading: model.Dense, Schedules: 8})
	}
}

// Each of these bugs of nutsdb is found, without a crash and with one.
func TestNutsdb(t *testing.T) {
	for claim, faults := range map[string]model.Faults{"linearizable": {}, "what is acknowledged is durable": {Restarts: 2}} {
		t.Run(claim, func(t *testing.T) {
			t.Chdir(t.TempDir()) // for traces
			checks := model.Check{Config: model.Config{Faults: faults}, Reading: model.Dense, Schedules: 500, Claims: []string{claim}}
			rows, err := checker.Check(group.Nutsdb, checks, checker.Options{NoMinimize: true})
			require.NoError(t, err)
			require.Equal(t, checker.Violated, rows[0].Verdict)
		})
	}
}

// Two processes make the same observations in the same schedules.
func TestTwoProcesses(t *testing.T) {
	for _, p := range []*model.Protocol{group.Goleveldb, group.Nutsdb, group.Bbolt, group.Pebble, group.Badger} {
		t.Run(p.Name, func(t *testing.T) {
			s, err := p.System("", model.Config{Faults: model.Faults{Restarts: 2}})
			require.NoError(t, err)
			repeat.Test(t, s, 2)
		})
	}
}
