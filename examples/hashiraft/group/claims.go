package group

import (
	"contend/model"
	"contend/model/claims"
)

// replicated reads the notes of package node.
var replicated = claims.ReplicatedLog{See: claims.LogNotes}

var claimed = []model.Claim{
	claims.From(replicated.ElectionSafety(), source+", §5.2", ""),
	claims.From(replicated.LogMatching(), source+", §5.3", ""),
	claims.From(replicated.LeaderCompleteness(), source+", §5.4", ""),
	claims.From(replicated.StateMachineSafety(), source+", §5.4.3", ""),
	claims.From(replicated.SameState(), library+`, fsm.go: "Apply must be deterministic and produce the same result on all peers in the cluster"`, ""),
	claims.From(replicated.TermsGrow(), source+", Figure 2: currentTerm is kept on stable storage, and increases monotonically", ""),
	{Name: "nonvoters do not stand", Kind: model.Always, Source: library + `, configuration.go: "Nonvoter is a server that receives log entries but is not considered for elections"`,
		Monitor: func(s *model.System) model.Monitor { return &stands{Voters: s.Config.N - Nonvoters.Of(s.Config)} }},
	{Name: "a transfer ends", Kind: model.Always, Source: library + `, api.go: LeadershipTransfer`,
		Monitor: func(*model.System) model.Monitor { return &transfers{} }},
	{Name: "linearizable", Kind: model.Linearizable, Source: source + ", §8", Object: object},
	{Name: "commands are applied", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &acknowledged{} }},
}
