package group

import "contend/model"

var claimed = []model.Claim{
	{Name: "election safety", Kind: model.Always, Source: source + ", §5.2",
		Monitor: func(*model.System) model.Monitor { return &leaders{Of: map[string]model.NodeID{}} }},
	{Name: "log matching", Kind: model.Always, Source: source + ", §5.3",
		Monitor: func(*model.System) model.Monitor { return &matching{} }},
	{Name: "leader completeness", Kind: model.Always, Source: source + ", §5.4",
		Monitor: func(*model.System) model.Monitor { return &complete{} }},
	{Name: "state machine safety", Kind: model.Always, Source: source + ", §5.4.3",
		Monitor: func(*model.System) model.Monitor { return &alike{Note: "apply", From: 3, At: map[int]string{}} }},
	{Name: "same list", Kind: model.Always, Source: library + `, fsm.go: "Apply must be deterministic and produce the same result on all peers in the cluster"`,
		Monitor: func(*model.System) model.Monitor { return &alike{Note: "holds", From: 2, At: map[int]string{}} }},
	{Name: "terms grow", Kind: model.Always, Source: source + ", Figure 2: currentTerm is kept on stable storage, and increases monotonically",
		Monitor: func(*model.System) model.Monitor { return &terms{} }},
	{Name: "nonvoters do not stand", Kind: model.Always, Source: library + `, configuration.go: "Nonvoter is a server that receives log entries but is not considered for elections"`,
		Monitor: func(s *model.System) model.Monitor { return &stands{Voters: s.Config.N - Nonvoters.Of(s.Config)} }},
	{Name: "a transfer ends", Kind: model.Always, Source: library + `, api.go: LeadershipTransfer`,
		Monitor: func(*model.System) model.Monitor { return &transfers{} }},
	{Name: "linearizable", Kind: model.Linearizable, Source: source + ", §8", Object: object},
	{Name: "commands are applied", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &acknowledged{} }},
}
