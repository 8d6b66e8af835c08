package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/multicast"
	"contend/impl/multicast/basic"
	"contend/model"
)

var multicastBasicTarget = checker.Target{Protocol: basic.Protocol, Configure: configureMulticastBasic}

// FuzzMulticastBasic runs basic reliable multicast by bytes.
func FuzzMulticastBasic(f *testing.F) { multicastBasicTarget.Fuzz(f) }

// configureMulticastBasic takes six bytes. Where a message may be lost only a sender that sends
// again keeps the claims.
func configureMulticastBasic(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		multicast.Messages.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-3), Duplication: max(0, c.Choose(6)-4)}
	check := model.Check{Config: config}
	if config.Faults.Loss > 0 {
		check.Variant = "resend"
	}
	return check
}
