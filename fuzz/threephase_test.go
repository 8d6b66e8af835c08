package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/threephase"
	"contend/model"
)

var threephaseTarget = checker.Target{Protocol: threephase.Protocol, Configure: configureThreephase}

// FuzzThreephase runs three-phase commit by bytes.
func FuzzThreephase(f *testing.F) { threephaseTarget.Fuzz(f) }

// configureThreephase takes four bytes. What the claim of termination assumes, half of the runs do not meet.
func configureThreephase(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(4), Faults: model.Faults{Crashes: c.Choose(4)}}
	if c.Choose(2) == 1 {
		config.Faults.Loss, config.Faults.Duplication = 1, c.Choose(2)
	}
	return model.Check{Config: config}
}
