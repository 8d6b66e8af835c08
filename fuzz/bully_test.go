package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/bully"
	"contend/impl/election"
	"contend/model"
)

var bullyTarget = checker.Target{Protocol: bully.Protocol, Configure: configureBully}

// FuzzBully runs the bully algorithm by bytes.
func FuzzBully(f *testing.F) { bullyTarget.Fuzz(f) }

// configureBully takes nine bytes. Where the run keeps no time there is little to watch, unless a failure
// detector stands in for the time-outs. There is no restart, which breaks safety as printed.
func configureBully(c sample.Choices) model.Check {
	n := 2 + c.Choose(4)
	config := model.Config{N: n}.With(
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(3))),
		election.Down.Is(max(0, c.Choose(6)-4)),
		election.Initiator.Is(1+c.Choose(n-1)),
		election.Initiators.Is(1+c.Choose(n-1)),
	)
	config.Faults.Crashes = max(0, c.Choose(6)-3)
	if c.Choose(3) == 2 {
		return model.Check{Variant: "detector", Config: config}
	}
	config.Faults.Suspicions = max(0, c.Choose(6)-3)
	return model.Check{Config: config}
}
