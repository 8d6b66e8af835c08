package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/multicast"
	"contend/impl/multicast/unordered"
	"contend/model"
)

var multicastUnorderedTarget = checker.Target{Protocol: unordered.Protocol, Configure: configureMulticastUnordered}

// FuzzMulticastUnordered runs multicast in any order by bytes.
func FuzzMulticastUnordered(f *testing.F) { multicastUnorderedTarget.Fuzz(f) }

// configureMulticastUnordered takes five bytes, and one more for the option in which a process
// knows messages again, which bears duplicates.
func configureMulticastUnordered(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		multicast.Messages.Is(1+c.Choose(4)),
		multicast.Senders.Is(c.Choose(3)),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	check := model.Check{Config: config}
	if c.Choose(3) == 2 {
		check.Variant = "knows-again"
		check.Config.Faults.Duplication = 1
	}
	return check
}
