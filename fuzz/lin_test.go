package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/lin"
	"contend/impl/mutex"
	"contend/model"
)

var linTarget = checker.Target{Protocol: lin.Protocol, Configure: configureLin}

// FuzzLin runs Lin's voting algorithm by bytes.
func FuzzLin(f *testing.F) { linTarget.Fuzz(f) }

// configureLin takes eight bytes. As many coordinators forget their votes as the lecture allows at
// most. There is no duplication: a response that comes twice is beyond what the algorithm stands.
func configureLin(c sample.Choices) model.Check {
	n := 1 + c.Choose(4)
	majority := n - c.Choose(n-n/2)
	config := model.Config{N: n}.With(
		lin.Majority.Is(majority),
		model.Clients.Is(2+c.Choose(3)),
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
		mutex.Section.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Restarts: c.Choose(2*majority - n), Crashes: max(0, c.Choose(6)-4)}
	return model.Check{Config: config}
}
