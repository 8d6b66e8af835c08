package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/multicast"
	"contend/impl/multicast/view"
	"contend/model"
)

var multicastViewTarget = checker.Target{Protocol: view.Protocol, Configure: configureMulticastView}

// FuzzMulticastView runs the view-synchronous multicast by bytes.
func FuzzMulticastView(f *testing.F) { multicastViewTarget.Fuzz(f) }

// configureMulticastView takes seven bytes: processes, messages, who joins and who leaves, and
// faults. A claim whose assumptions the faults do not meet is not watched in that run.
func configureMulticastView(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(4)}
	config = config.With(
		multicast.Messages.Is(c.Choose(4)),
		view.Joiners.Is(c.Choose(config.N)),
		view.Leavers.Is(c.Choose(config.N)),
	)
	config.Faults = model.Faults{Crashes: c.Choose(3), Loss: max(0, c.Choose(8)-6), Suspicions: max(0, c.Choose(8)-6)}
	return model.Check{Config: config}
}
