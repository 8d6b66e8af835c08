package group_test

import (
	"syscall"
	"testing"
	"time"

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

// Schedules of a server and its clients, with a crash. Work that is done once does not count.
func BenchmarkSchedules(b *testing.B) {
	check := model.Check{Config: model.Config{Faults: model.Faults{Restarts: 1}}, Reading: model.Dense, Schedules: 1}
	_, err := checker.Check(group.Protocol, check, checker.Options{}) // the module is compiled
	require.NoError(b, err)
	check.Schedules = b.N
	began := cpu()
	row, err := checker.Check(group.Protocol, check, checker.Options{Strategy: "random"})
	require.NoError(b, err)
	took := (cpu() - began).Seconds()
	b.ReportMetric(float64(b.N)/took, "runs/cpu-s")
	b.ReportMetric(float64(row[0].Transitions)/took, "events/cpu-s")
	b.ReportMetric(float64(row[0].Transitions)/float64(b.N), "events/run")
}

func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Two processes make the same observations in the same schedules. The figure in docs/programs.md is for 1,000
// schedules.
func TestTwoProcesses(t *testing.T) {
	s, err := group.Protocol.System("", model.Config{Faults: model.Faults{Restarts: 2}})
	require.NoError(t, err)
	repeat.Test(t, s, 20)
}
