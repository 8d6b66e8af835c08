package group

import "contend/model"

// checks are the checks that the command runs without arguments. They take seconds.
var checks = []model.Check{
	{Config: sized(1, model.Faults{Restarts: 1}, Reads.Is(1), Campaigns.Is(2))},
	{Config: sized(3, model.Faults{})},
	{Config: sized(3, model.Faults{}, Candidates.Is(2), Proposals.Is(0))},
	{Config: sized(3, model.Faults{Restarts: 1}, Candidates.Is(2), Proposals.Is(0)), Claims: figure},
	{Config: sized(3, model.Faults{}, Led.Is(1), Candidates.Is(1), Campaigns.Is(0), Reads.Is(1)), Claims: []string{linearizable, "a read returns what was appended"}},
	{Variant: "fifo", Config: sized(3, model.Faults{}, Led.Is(1), Candidates.Is(1), Campaigns.Is(1), Transfers.Is(1), Proposals.Is(0)), Claims: append([]string{handsOver}, figure...)},
	{Variant: "fifo", Config: sized(3, model.Faults{}, Led.Is(1), Candidates.Is(0), Proposals.Is(2), Compact.Is(1)), Claims: append([]string{inOrder}, figure...)},
	{Config: sized(3, model.Faults{}, Led.Is(1), Candidates.Is(0), Compact.Is(1)), Claims: append([]string{"a snapshot is installed"}, figure...)},
	{Variant: "fifo", Config: sized(4, model.Faults{}, Voters.Is(3), Led.Is(1), Candidates.Is(1), Proposals.Is(0), Changes.Is(1)), Claims: append([]string{"a configuration is changed"}, figure...)},
	{Variant: "fifo+joint", Config: sized(4, model.Faults{}, Voters.Is(3), Led.Is(1), Candidates.Is(0), Proposals.Is(0), Changes.Is(1)), Claims: append([]string{"a joint configuration"}, figure...)},
	{Variant: "fifo+async+joint", Config: sized(4, model.Faults{}, Voters.Is(3), Led.Is(1), Candidates.Is(0), Proposals.Is(0), Changes.Is(1)), Claims: figure[:5]},
	{Variant: "fifo+prevote+checkquorum", Config: sized(3, model.Faults{}, Led.Is(1), Proposals.Is(0), Ticks.Is(2)), Claims: append([]string{keepsTerm}, figure...)},
	{Variant: "torn", Config: sized(3, model.Faults{}, Led.Is(1), Candidates.Is(0), Compact.Is(1)), Claims: append([]string{comesBack}, figure...)},
	{Variant: "async-single", Config: sized(1, model.Faults{Restarts: 1}, Campaigns.Is(2), Reads.Is(1)), Claims: []string{linearizable}},
	{Variant: "lease-transfer", Config: sized(3, model.Faults{}, Led.Is(1), Campaigns.Is(0)), Claims: []string{linearizable}},
	{Variant: "read-twice", Config: sized(3, model.Faults{}, Led.Is(1), Candidates.Is(2)), Claims: []string{linearizable}},
}

// deep are checks of minutes.
var deep = []model.Check{
	{Variant: "lease-alike", Config: sized(3, model.Faults{}, Led.Is(1), Ticks.Is(3)), Reading: model.Grid, Claims: []string{linearizable}},
	{Variant: "fifo", Config: sized(3, model.Faults{Restarts: 1}, Candidates.Is(2), Proposals.Is(2)), Claims: figure},
	{Variant: "abstract", Config: sized(3, model.Faults{}, Candidates.Is(2)), Claims: figure},
}

// figure are the claims of Figure 3, and that the commit index never regresses.
var figure = []string{electionSafety, appendOnly, logMatching, leaderCompleteness, stateMachine, commits}

func sized(n int, faults model.Faults, settings ...model.Setting) model.Config {
	return model.Config{N: n, Faults: faults}.With(settings...)
}
