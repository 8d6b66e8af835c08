package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/election"
	"contend/impl/enhancedring"
	"contend/model"
)

var enhancedRingTarget = checker.Target{Protocol: enhancedring.Protocol, Configure: configureEnhancedRing}

// FuzzEnhancedRing runs the enhanced ring by bytes.
func FuzzEnhancedRing(f *testing.F) { enhancedRingTarget.Fuzz(f) }

// configureEnhancedRing takes nine bytes. What a fault takes away from the claims is not put to the test.
func configureEnhancedRing(c sample.Choices) model.Check {
	n := 2 + c.Choose(4)
	down := c.Choose(2)
	config := model.Config{N: n}.With(
		election.Down.Is(down),
		election.Initiator.Is(1+c.Choose(n-down)),
		election.Initiators.Is(1+c.Choose(n-down)),
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{
		Crashes: max(0, c.Choose(6)-4), Restarts: max(0, c.Choose(6)-4), Suspicions: max(0, c.Choose(5)-3),
	}
	return model.Check{Config: config}
}
