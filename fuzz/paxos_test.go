package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/ballots"
	"contend/impl/paxos"
	"contend/model"
)

var paxosTarget = checker.Target{Protocol: paxos.Protocol, Configure: configurePaxos}

// FuzzPaxos runs Paxos by bytes.
func FuzzPaxos(f *testing.F) { paxosTarget.Fuzz(f) }

// configurePaxos takes seven bytes. No claim assumes anything, so any fault may strike.
func configurePaxos(c sample.Choices) model.Check {
	config := model.Config{N: 1 + c.Choose(5)}.With(
		ballots.Ballots.Is(1+c.Choose(4)),
		paxos.Values.Is(1+c.Choose(3)),
		ballots.Learners.Is(c.Choose(3)),
	)
	config.Faults = model.Faults{Restarts: c.Choose(3), Loss: c.Choose(3), Duplication: c.Choose(2)}
	return model.Check{Config: config}
}
