package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/centralized"
	"contend/impl/mutex"
	"contend/model"
)

var centralizedTarget = checker.Target{Protocol: centralized.Protocol, Configure: configureCentralized}

// FuzzCentralized runs the lock with one coordinator by bytes.
func FuzzCentralized(f *testing.F) { centralizedTarget.Fuzz(f) }

// configureCentralized takes six bytes. There is no duplication and no restart: a Release that comes
// twice, and a coordinator that forgets, are beyond what the algorithm was made for.
func configureCentralized(c sample.Choices) model.Check {
	config := model.Config{}.With(
		model.Clients.Is(2+c.Choose(3)),
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
		mutex.Section.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	return model.Check{Config: config}
}
