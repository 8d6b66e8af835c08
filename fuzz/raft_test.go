package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/raft"
	"contend/model"
)

var raftTarget = checker.Target{Protocol: raft.Protocol, Configure: configureRaft}

// FuzzRaft runs Raft by bytes.
func FuzzRaft(f *testing.F) { raftTarget.Fuzz(f) }

// configureRaft takes six bytes. No claim assumes anything, so any fault may strike.
func configureRaft(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(4)}.With(
		raft.Terms.Is(1+c.Choose(6)),
		raft.Entries.Is(1+c.Choose(4)),
	)
	config.Faults = model.Faults{Restarts: c.Choose(3), Loss: c.Choose(3), Duplication: c.Choose(2)}
	return model.Check{Config: config}
}
