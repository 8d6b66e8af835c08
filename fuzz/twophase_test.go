package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/twophase"
	"contend/model"
)

var twophaseTarget = checker.Target{Protocol: twophase.Protocol, Configure: configureTwophase}

// FuzzTwophase runs two-phase commit by bytes.
func FuzzTwophase(f *testing.F) { twophaseTarget.Fuzz(f) }

// configureTwophase takes five bytes. What the claim of termination assumes, half of the runs do not meet.
func configureTwophase(c sample.Choices) model.Check {
	config := model.Config{N: 1 + c.Choose(5)}
	if c.Choose(2) == 1 {
		config.Faults = model.Faults{Restarts: c.Choose(3), Crashes: c.Choose(2), Duplication: c.Choose(2)}
	}
	return model.Check{Config: config}
}
