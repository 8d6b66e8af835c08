package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/backoff"
	"contend/model"
)

var backoffTarget = checker.Target{Protocol: backoff.Protocol, Configure: configureBackoff}

// FuzzBackoff runs the mutual exclusion protocol by bytes.
func FuzzBackoff(f *testing.F) { backoffTarget.Fuzz(f) }

// configureBackoff takes nine bytes. A claim whose assumptions the faults do not
// meet is not watched in that run.
func configureBackoff(c sample.Choices) model.Check {
	size := []struct{ n, b int }{{1, 0}, {2, 0}, {3, 0}, {5, 0}, {6, 1}, {7, 1}}[c.Choose(6)]
	return model.Check{Config: model.Config{
		N: size.n, B: size.b,
		Clients: 2 + c.Choose(2),
		Ops:     1 + c.Choose(2),
		Tries:   1 + c.Choose(3),
		Delay:   1 + model.Ticks(c.Choose(2)),
		Section: 1 + model.Ticks(c.Choose(3)),
		Faults: model.Faults{
			Duplication: c.Choose(3),
			Crashes:     c.Choose(2),
			Loss:        max(0, c.Choose(6)-4),
		},
	}}
}
