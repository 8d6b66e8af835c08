package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/multicast"
	"contend/impl/multicast/nack"
	"contend/model"
)

var multicastNackTarget = checker.Target{Protocol: nack.Protocol, Configure: configureMulticastNack}

// FuzzMulticastNack runs multicast with suppressed NACKs by bytes.
func FuzzMulticastNack(f *testing.F) { multicastNackTarget.Fuzz(f) }

// configureMulticastNack takes seven bytes. Where a message may be lost it asks for the claims alone
// that loss does not break. Two waits may always end too close to each other for only one NACK.
func configureMulticastNack(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		multicast.Messages.Is(1+c.Choose(3)),
		nack.Spread.Is(1+model.Ticks(c.Choose(4))),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-3), Duplication: max(0, c.Choose(6)-4)}
	claims := []string{multicast.Integrity, multicast.FIFOOrder, "suppression", "history kept"}
	if config.Faults.Loss == 0 {
		claims = append(claims, multicast.Validity, multicast.Agreement, "queued messages are delivered")
	}
	return model.Check{Config: config, Claims: claims}
}
