package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/maekawa"
	"contend/impl/mutex"
	"contend/model"
)

var maekawaTarget = checker.Target{Protocol: maekawa.Protocol, Configure: configureMaekawa}

// FuzzMaekawa runs the algorithm with voting sets by bytes.
func FuzzMaekawa(f *testing.F) { maekawaTarget.Fuzz(f) }

// configureMaekawa takes nine bytes. There is no duplication and no memory loss: either makes
// a voter vote for two.
func configureMaekawa(c sample.Choices) model.Check {
	n := 2 + c.Choose(6)
	config := model.Config{N: n}.With(
		maekawa.Sets.Is(c.Choose(3)),
		mutex.Asking.Is(min(c.Choose(8), n)),
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
		mutex.Section.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	check := model.Check{Config: config}
	check.Variant = []string{"", "own-vote-at-once", "ordered", "inquire"}[c.Choose(4)]
	return check
}
