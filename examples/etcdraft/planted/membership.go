package planted

var membership = []Bug{
	{
		Name:   "joint-vote",
		Models: "in a joint configuration the new majority elects alone",
		Edits:  []Edit{{"quorum/joint.go", "r2 := c[1].VoteResult(votes)", "r2 := r1"}},
	},
	{
		Name:   "joint-commit",
		Models: "in a joint configuration the new majority commits alone",
		Edits:  []Edit{{"quorum/joint.go", "if idx0 < idx1 {", "if len(c[0]) > 0 {"}},
	},
	{
		Name:   "changes-overlap",
		Models: "a change of the configuration is accepted while another is on its way",
		Edits:  []Edit{{"raft.go", "alreadyPending := r.pendingConfIndex > r.raftLog.applied", "alreadyPending := false"}},
	},
	{
		Name:   "learner-votes",
		Models: "a learner counts as a voter where entries are committed",
		Edits: []Edit{{"tracker/tracker.go", "return uint64(p.Voters.CommittedIndex(matchAckIndexer(p.Progress)))",
			"counted := quorum.MajorityConfig(p.Voters.IDs())\n\tfor id := range p.Learners {\n\t\tcounted[id] = struct{}{}\n\t}\n" +
				"\treturn uint64(quorum.JointConfig{counted, p.Voters[1]}.CommittedIndex(matchAckIndexer(p.Progress)))"}},
	},
}
