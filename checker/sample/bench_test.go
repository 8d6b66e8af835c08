package sample_test

import (
	"slices"
	"testing"

	"contend/checker/sample"
	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/model"
)

// The interpreter's speed on a timed system of eight nodes with a liar.
func BenchmarkBackoff(b *testing.B) {
	benchmark(b, backoff.Protocol, model.Config{N: 6, B: 1}.With(model.Clients.Is(2), backoff.Tries.Is(3)), true)
}

// Its speed on states and messages that are large: whole replicated objects, and
// clients that keep what every server answered.
func BenchmarkOrdering(b *testing.B) {
	for _, c := range []struct {
		name  string
		n     model.Config
		timed bool
	}{
		{"2 clients", model.Config{N: 7, B: 1}.With(model.Clients.Is(2), model.Ops.Is(2)), false},
		{"3 clients", model.Config{N: 7, B: 1}.With(model.Clients.Is(3), model.Ops.Is(2)), false},
		{"3 clients timed", model.Config{N: 7, B: 1}.With(model.Clients.Is(3), model.Ops.Is(2)), true},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, ordering.Protocol, c.n, c.timed) })
	}
}

func benchmark(b *testing.B, p *model.Protocol, c model.Config, timed bool) {
	s, err := p.System("", c)
	if err != nil {
		b.Fatal(err)
	}
	reading := model.Untimed
	if timed {
		reading = model.Dense
	}
	claims := slices.DeleteFunc(slices.Clone(p.Claims), func(c model.Claim) bool { return len(c.Unmet(s, reading)) > 0 })
	b.ResetTimer()
	r, err := sample.Sample(s, claims, sample.Options{Schedules: b.N, Seed: 1, Timed: timed})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(r.Schedules)/b.Elapsed().Seconds(), "schedules/s")
	b.ReportMetric(float64(r.Steps)/float64(r.Schedules), "steps/schedule")
}
