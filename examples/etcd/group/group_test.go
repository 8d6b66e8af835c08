package group_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/repeat"
	"contend/examples/etcd/group"
	"contend/model"
)

// A few schedules find no violation: of a server with crashes, of three servers, and of clients with locks.
func Test(t *testing.T) {
	for _, c := range []struct {
		p *model.Protocol
		model.Check
	}{
		{group.Protocol, model.Check{Config: model.Config{Faults: model.Faults{Restarts: 2}}.With(group.Slow.Is(5)), Schedules: 8}},
		{group.Protocol, model.Check{Config: model.Config{N: 3}, Schedules: 2}},
		{group.Locks, model.Check{Config: model.Config{}.With(group.Calls.Is(2)), Schedules: 2}},
	} {
		c.Reading = model.Dense
		checker.TestCheck(t, c.p, c.Check)
	}
}

// Schedules of one server with a crash, and of three servers without. Work that is done once does not count.
func BenchmarkSchedules(b *testing.B) {
	for name, c := range map[string]model.Config{"one": {Faults: model.Faults{Restarts: 1}}, "three": {N: 3}} {
		b.Run(name, func(b *testing.B) {
			check := model.Check{Config: c, Reading: model.Dense, Schedules: 1}
			_, err := checker.Check(group.Protocol, check, checker.Options{}) // the program is compiled
			require.NoError(b, err)
			check.Schedules = b.N
			began := cpu()
			row, err := checker.Check(group.Protocol, check, checker.Options{Strategy: "random"})
			require.NoError(b, err)
			b.ReportMetric(float64(b.N)/(cpu()-began).Seconds(), "runs/cpu-s")
			b.ReportMetric(float64(row[0].Transitions)/float64(b.N), "events/run")
		})
	}
}

func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// Two processes make the same observations in the same schedules.
func TestTwoProcesses(t *testing.T) {
	s, err := group.Protocol.System("", model.Config{Faults: model.Faults{Restarts: 2}})
	require.NoError(t, err)
	repeat.Test(t, s, 2)
}
