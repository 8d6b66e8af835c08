package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/swim"
	"contend/model"
)

var swimTarget = checker.Target{Protocol: swim.Protocol, Configure: configureSWIM}

// FuzzSWIM runs a group by bytes.
func FuzzSWIM(f *testing.F) { swimTarget.Fuzz(f) }

// configureSWIM takes four bytes. More messages are lost in some runs than the claims allow that then are not tested.
func configureSWIM(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(swim.Helpers.Is(c.Choose(3)), swim.Spread.Is(model.Ticks(c.Choose(9))))
	if c.Choose(2) == 1 {
		config.Faults.Loss = 2
	} else {
		config.Faults.Crashes = 1
	}
	return model.Check{Config: config, Reading: model.Dense}
}
