package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/ballots"
	"contend/impl/multipaxos"
	"contend/model"
)

var multiPaxosTarget = checker.Target{Protocol: multipaxos.Protocol, Configure: configureMultiPaxos}

// FuzzMultiPaxos runs Paxos of many instances by bytes.
func FuzzMultiPaxos(f *testing.F) { multiPaxosTarget.Fuzz(f) }

// configureMultiPaxos takes seven bytes. That all instances are learned assumes more than some faults leave, and is not
// watched then.
func configureMultiPaxos(c sample.Choices) model.Check {
	config := model.Config{N: 1 + c.Choose(5)}.With(
		ballots.Ballots.Is(1+c.Choose(4)),
		multipaxos.Instances.Is(1+c.Choose(3)),
		ballots.Learners.Is(c.Choose(3)),
	)
	config.Faults = model.Faults{Restarts: c.Choose(3), Loss: c.Choose(3), Duplication: c.Choose(2)}
	return model.Check{Config: config}
}
