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
	config := model.Config{N: size.n, B: size.b}.With(
		model.Clients.Is(2+c.Choose(2)),
		model.Ops.Is(1+c.Choose(2)),
		backoff.Tries.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
		backoff.Section.Is(1+model.Ticks(c.Choose(3))),
	)
	config.Faults = model.Faults{Duplication: c.Choose(3), Crashes: c.Choose(2), Loss: max(0, c.Choose(6)-4)}
	return model.Check{Config: config}
}
