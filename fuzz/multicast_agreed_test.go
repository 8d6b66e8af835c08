package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/multicast"
	"contend/impl/multicast/agreed"
	"contend/model"
)

var multicastAgreedTarget = checker.Target{Protocol: agreed.Protocol, Configure: configureMulticastAgreed}

// FuzzMulticastAgreed runs total order by agreed numbers by bytes.
func FuzzMulticastAgreed(f *testing.F) { multicastAgreedTarget.Fuzz(f) }

// configureMulticastAgreed takes six bytes, and one more for the option that bears duplicates.
func configureMulticastAgreed(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		multicast.Messages.Is(1+c.Choose(3)),
		multicast.Senders.Is(c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	check := model.Check{Config: config}
	if c.Choose(3) == 2 {
		check.Variant = "filters"
		check.Config.Faults.Duplication = 2
	}
	return check
}
