package search

import (
	"testing"

	"contend/impl/backoff"
	"contend/impl/quorumlock"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// BenchmarkRicartAgrawala searches three processes with four entries each, with the
// cache of handlers' results and without.
func BenchmarkRicartAgrawala(b *testing.B) {
	for name, noCache := range map[string]bool{"cache": false, "nocache": true} {
		b.Run(name, func(b *testing.B) {
			s, claims := built(b, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(4)), safety...)
			measure(b, s, claims, Options{NoCache: noCache})
		})
	}
}

// BenchmarkWorkloads searches what is compared with other checkers (see bench), whole and with
// one worker.
func BenchmarkWorkloads(b *testing.B) {
	b.Run("ricartagrawala", func(b *testing.B) {
		s, claims := built(b, ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(6)), "mutual exclusion")
		measure(b, s, claims, Options{})
	})
	b.Run("quorumlock", func(b *testing.B) {
		s, claims := built(b, quorumlock.Protocol, "", model.Config{}, "mutual exclusion")
		measure(b, s, claims, Options{})
	})
}

// BenchmarkBackoff searches three servers and two clients on the grid, without
// reductions and with them.
func BenchmarkBackoff(b *testing.B) {
	for name, reduced := range map[string]bool{"whole": false, "reduced": true} {
		b.Run(name, func(b *testing.B) {
			s, claims := built(b, backoff.Protocol, "", model.Config{N: 3}.With(backoff.Tries.Is(1)), "Lemma 1")
			measure(b, s, claims, Options{Timed: true, Symmetry: reduced, Stale: reduced})
		})
	}
}

func measure(b *testing.B, s *model.System, claims []model.Claim, opt Options) {
	b.Helper()
	states := int64(0)
	for b.Loop() {
		r, err := Run(s, claims, opt)
		if err != nil || !r.Complete {
			b.Fatal(r, err)
		}
		states += r.States
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
}

// BenchmarkDense searches every real-valued run of the lock.
func BenchmarkDense(b *testing.B) {
	for name, c := range map[string]model.Config{
		"n=6 b=1":           model.Config{N: 6, B: 1}.With(backoff.Tries.Is(1), model.Delay.Is(1), backoff.Section.Is(2)),
		"n=3 three clients": model.Config{N: 3}.With(model.Clients.Is(3), backoff.Tries.Is(1), model.Delay.Is(1), backoff.Section.Is(2)),
	} {
		b.Run(name, func(b *testing.B) {
			s, claims := built(b, backoff.Protocol, "", c, "Lemma 1")
			measure(b, s, claims, Options{Timed: true, Dense: true, Merge: true, Symmetry: true, Clients: true, Stale: true})
		})
	}
}
