package bully

import (
	"contend/impl/election"
	"contend/model"
	"contend/model/variant"
)

// beyond is the algorithm as printed, with what its text warns of or assumes away.
var beyond = []model.Variant{
	{
		Name: "highest-restarts", Title: "the process with the highest ID crashes, and restarts with an ongoing election",
		Breaks: "safety", Show: variant.BeyondInTime(election.Of(3, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "two-for-a-while", Title: "the highest has restarted and won, and its Coordinator message is in flight",
		Breaks: "one coordinator", Show: variant.BeyondInTime(election.Of(2, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		// Both have to win at one instant, almost, and their Coordinator messages to cross.
		Name: "restart-divides", Title: "the highest decides on the lower process that won meanwhile, and the lower on the highest",
		Breaks: "agreement", Show: variant.BeyondInTime(election.Of(2, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "partitioned", Title: "the network is partitioned: multiple nodes decide that they are the leader",
		Breaks: "one coordinator", Show: variant.BeyondInTime(election.Of(2, 2, 1), model.Faults{Partitions: 1}),
	},
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: "safety", Show: variant.BeyondInTime(election.Of(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "asynchronous", Title: "messages take longer than the time-outs assume",
		Breaks: "safety", Show: model.Check{Config: election.Of(2, 1, 1), AssumeAnyway: true},
	},
	{
		Name: "detector-wrong", Title: "the failure detector that replaces the time-outs is only eventually perfect",
		Breaks: "one coordinator", Show: variant.Beyond(election.Of(2, 2, 1), model.Faults{Suspicions: 1}), Edit: detect(model.EventuallyPerfect),
	},
}
