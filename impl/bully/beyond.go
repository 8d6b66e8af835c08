package bully

import "contend/model"

// beyond is the algorithm as printed, with what its text warns of or assumes away.
var beyond = []model.Variant{
	{
		Name: "highest-restarts", Title: "the process with the highest ID crashes, and restarts with an ongoing election",
		Breaks: "safety", Show: anyway(sized(3, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "two-for-a-while", Title: "the highest is back and has won, and its Coordinator message is under way",
		Breaks: "one coordinator", Show: anyway(sized(2, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		// Both have to win at one instant, almost, and their Coordinator messages to cross.
		Name: "restart-divides", Title: "the highest takes the lower that won meanwhile for the coordinator, and the lower the highest",
		Breaks: "agreement", Show: anyway(sized(2, 1, 1), model.Faults{Restarts: 1}),
	},
	{
		Name: "partitioned", Title: "the network is cut in two: multiple nodes decide that they are the leader",
		Breaks: "one coordinator", Show: anyway(sized(2, 2, 1), model.Faults{Partitions: 1}),
	},
	{
		Name: "message-lost", Title: "a message is lost",
		Breaks: "safety", Show: anyway(sized(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "asynchronous", Title: "messages take longer than the time-outs allow for",
		Breaks: "safety", Show: model.Check{Config: sized(2, 1, 1), AssumeAnyway: true},
	},
	{
		Name: "detector-wrong", Title: "the failure detector in place of the time-outs is only eventually perfect",
		Breaks: "one coordinator", Show: untimely(sized(2, 2, 1), model.Faults{Suspicions: 1}), Edit: detect(model.EventuallyPerfect),
	},
}

func anyway(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: failing(c, f), Reading: model.Grid, AssumeAnyway: true}
}
