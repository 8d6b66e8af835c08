package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/multicast"
	"contend/impl/multicast/sequencer"
	"contend/model"
)

var multicastSequencerTarget = checker.Target{Protocol: sequencer.Protocol, Configure: configureMulticastSequencer}

// FuzzMulticastSequencer runs total order by a sequencer by bytes.
func FuzzMulticastSequencer(f *testing.F) { multicastSequencerTarget.Fuzz(f) }

// configureMulticastSequencer takes six bytes, and one more for the option with stable storage,
// which bears restarts and duplicates.
func configureMulticastSequencer(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		multicast.Messages.Is(1+c.Choose(3)),
		multicast.Senders.Is(c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	check := model.Check{Config: config}
	if c.Choose(3) == 2 {
		check.Variant = "stable"
		check.Config.Faults.Restarts, check.Config.Faults.Duplication = 1, 1
	}
	return check
}
