//go:build unix

package sample

import (
	"math"
	"syscall"
	"testing"
	"time"

	"contend/model"
)

// What an event costs the checker if it costs the program nothing, in CPU time. The first schedules, whose
// handlers run twice, do not count; of the others each sixteenth does so.
func BenchmarkGuests(b *testing.B) {
	for _, live := range []bool{true, false} {
		b.Run(map[bool]string{true: "live", false: "interpreter"}[live], func(b *testing.B) {
			s, claims := guestSystem(model.Faults{Restarts: 1}, math.MaxInt/2, nil)
			none := Judge{Claim: "judged", Check: func([]model.Observation, bool) error { return nil }}
			sm, err := newSampler(s, claims, Options{Schedules: twiceFirst + b.N, Seed: 1, Timed: true, Workers: 1, Judges: []Judge{none}})
			if err == nil && live {
				err = sm.live()
			}
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			began := cpu()
			for i := twiceFirst; i < twiceFirst+b.N; {
				if i, err = sm.batch(i); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cpu()-began).Nanoseconds())/1e3/float64(sm.result.Steps), "cpu-µs/event")
			b.ReportMetric(float64(sm.result.Steps)/float64(sm.result.Schedules), "events/schedule")
		})
	}
}

func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
