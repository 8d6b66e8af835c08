package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/chandylamport"
	"contend/model"
)

var chandyLamportTarget = checker.Target{Protocol: chandylamport.Protocol, Configure: configureChandyLamport}

// FuzzChandyLamport runs snapshots by bytes.
func FuzzChandyLamport(f *testing.F) { chandyLamportTarget.Fuzz(f) }

// configureChandyLamport takes four bytes. What the claim of termination assumes, half of the runs do not meet.
func configureChandyLamport(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(4)}
	config = config.With(chandylamport.Initiators.Is(1+c.Choose(config.N)), chandylamport.Transfers.Is(c.Choose(5)))
	config.Faults.Crashes = c.Choose(2)
	return model.Check{Config: config}
}
