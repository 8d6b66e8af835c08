package main

var membership = []Bug{
	{
		Name:   "joint-vote",
		Models: "in a joint configuration the new majority elects alone",
		Edits:  []Edit{{"quorum/joint.go", "r2 := c[1].VoteResult(votes)", "r2 := r1"}},
		Claim:  leaderCompleteness, Row: "etcdraft/fifo+joint -n 4 --voters 3 --led 1 --candidates 2 --proposals 0 --changes 1",
	},
	{
		Name:   "joint-vote-old",
		Models: "in a joint configuration the old majority elects alone",
		Edits: []Edit{
			{"quorum/joint.go", "r1 := c[0].VoteResult(votes)", "r1 := c[0].VoteResult(votes)\n\tif len(c[1]) > 0 {\n\t\tr1 = c[1].VoteResult(votes)\n\t}"},
			{"quorum/joint.go", "r2 := c[1].VoteResult(votes)", "r2 := r1"},
		},
		Claim: leaderCompleteness, Row: "etcdraft/fifo+joint -n 4 --voters 3 --led 1 --candidates 2 --proposals 0 --changes 1",
	},
	{
		Name:   "joint-commit",
		Models: "in a joint configuration the new majority commits alone",
		Edits:  []Edit{{"quorum/joint.go", "if idx0 < idx1 {", "if len(c[0]) > 0 {"}},
		Claim:  stateMachine, Row: "etcdraft/alone -n 3 --led 1 --changes 1 --proposals 0", Quick: true,
	},
	{
		Name:   "changes-overlap",
		Models: "a change of the configuration is accepted while another is on its way",
		Edits:  []Edit{{"raft.go", "alreadyPending := r.pendingConfIndex > r.raftLog.applied", "alreadyPending := false"}},
		Claim:  stateMachine, Row: "etcdraft -n 3 --led 1 --candidates 2 --proposals 0 --changes 2",
	},
}
