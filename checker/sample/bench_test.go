package sample_test

import (
	"testing"

	"contend/checker/sample"
	"contend/impl/backoff"
	"contend/model"
)

// The interpreter's speed on a timed system of eight nodes with a liar.
func BenchmarkBackoff(b *testing.B) {
	s, err := backoff.Protocol.System("", model.Config{N: 6, B: 1, Clients: 2, Tries: 3})
	if err != nil {
		b.Fatal(err)
	}
	r, err := sample.Sample(s, backoff.Protocol.Claims, sample.Options{Schedules: b.N, Seed: 1, Timed: true})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(r.Schedules)/b.Elapsed().Seconds(), "schedules/s")
	b.ReportMetric(float64(r.Steps)/float64(r.Schedules), "steps/schedule")
}
