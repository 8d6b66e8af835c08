package group

import "contend/model"

var claimed = []model.Claim{
	{Name: "election safety", Kind: model.Always, Source: source + ", §5.2",
		Monitor: func(*model.System) model.Monitor { return &leaders{Of: map[string]model.NodeID{}} }},
	{Name: "log matching", Kind: model.Always, Source: source + ", §5.3",
		Monitor: func(*model.System) model.Monitor { return &logs{Of: map[place]entry{}} }},
	{Name: "state machine safety", Kind: model.Always, Source: source + ", §5.4.3",
		Monitor: func(*model.System) model.Monitor { return &applied{At: map[int]string{}} }},
	{Name: "nonvoters do not stand", Kind: model.Always, Source: library + `, configuration.go: "Nonvoter is a server that receives log entries but is not considered for elections"`,
		Monitor: func(s *model.System) model.Monitor { return &stands{Voters: s.Config.N - Nonvoters.Of(s.Config)} }},
	{Name: "a transfer ends", Kind: model.Always, Source: library + `, api.go: LeadershipTransfer`,
		Monitor: func(*model.System) model.Monitor { return &transfers{} }},
	{Name: "linearizable", Kind: model.Linearizable, Source: source + ", §8", Object: object},
	{Name: "commands are applied", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &acknowledged{} }},
}
