package main

var elections = []Bug{
	{
		Name:   "vote-quorum",
		Models: "half of the voters, rounded down, elect",
		Edits:  []Edit{{"quorum/majority.go", "q := len(c)/2 + 1", "q := len(c) / 2"}},
		Claim:  electionSafety, Row: "etcdraft -n 3 --candidates 2 --proposals 0",
	},
	{
		Name:   "vote-unrecorded",
		Models: "a server that grants its vote does not note for whom",
		Edits:  []Edit{{"raft.go", "r.Vote = m.From", "// r.Vote is left as it is"}},
		Claim:  electionSafety, Row: "etcdraft -n 3 --candidates 2 --proposals 0", Quick: true,
	},
	{
		Name:   "vote-own-unrecorded",
		Models: "a candidate counts its own vote and does not note it",
		Edits:  []Edit{{"raft.go", "r.Vote = r.id", "// r.Vote is left as it is"}},
		Claim:  electionSafety, Row: "etcdraft -n 3 --candidates 2 --proposals 0",
	},
	{
		Name:   "vote-unrestored",
		Models: "a server that restarts has forgotten its vote",
		Edits:  []Edit{{"raft.go", "r.Vote = state.Vote", "// r.Vote is left as it is"}},
		Claim:  electionSafety, Row: "etcdraft -n 3 --candidates 2 --proposals 0 --restarts 1",
	},
	{
		Name:   "term-unrestored",
		Models: "a server that restarts has forgotten its term, which Figure 2 of the Raft paper has on stable storage",
		Edits:  []Edit{{"raft.go", "r.Term = state.Term", "// r.Term is left as it is"}},
		Claim:  electionSafety, Row: "etcdraft -n 3 --led 1 --candidates 2 --proposals 0 --restarts 1",
	},
	{
		Name:   "vote-late",
		Models: "a vote of an earlier term counts in the present one",
		Edits:  []Edit{{"raft.go", "case m.Term < r.Term:", "case m.Term < r.Term && m.Type != pb.MsgVoteResp:"}},
		Claim:  electionSafety, Row: "etcdraft -n 3 --candidates 2 --campaigns 2 --proposals 0", Quick: true,
	},
	{
		Name:   "vote-stale-log",
		Models: "the vote goes to a candidate whose last entry is of the same term, however short its log is",
		Edits: []Edit{{"log.go", "their.term == our.term && their.index >= our.index",
			"their.term == our.term"}},
		Claim: leaderCompleteness, Row: "etcdraft -n 3 --candidates 2", Quick: true,
	},
	{
		Name:   "prevote-counted",
		Models: "who has granted a pre-vote counts as having voted in the election that follows",
		Edits:  []Edit{{"raft.go", "r.abortLeaderTransfer()\n\n\tr.trk.ResetVotes()", "r.abortLeaderTransfer()"}},
		Claim:  electionSafety, Row: "etcdraft/prevote -n 3 --candidates 2 --proposals 0", Quick: true,
	},
	{
		Name:   "prevote-term",
		Models: "a server that is asked for a pre-vote goes on to the term that is not begun yet",
		Edits: []Edit{{"raft.go", "case m.Type == pb.MsgPreVote:\n\t\t\t// Never change our term in response to a PreVote",
			"case m.Type == pb.MsgPreVote && m.Reject:"}},
		Claim: keepsTerm, Row: "etcdraft/fifo+prevote+checkquorum -n 3 --led 1 --proposals 0 --ticks 2",
	},
	{
		Name:   "lease-ignored",
		Models: "with CheckQuorum, a server that hears from its leader grants its vote all the same",
		Edits:  []Edit{{"raft.go", "if !force && inLease {", "if !force && inLease && r.state == StateLeader {"}},
		Claim:  keepsTerm, Row: "etcdraft/fifo+checkquorum -n 3 --led 1 --proposals 0 --ticks 2",
	},
	{
		Name:   "transfer-behind",
		Models: "leadership is handed over to a server that has not caught up",
		Edits: []Edit{{"raft.go", "r.leadTransferee = leadTransferee\n\t\tif pr.Match == r.raftLog.lastIndex() {",
			"r.leadTransferee = leadTransferee\n\t\tif pr.Match <= r.raftLog.lastIndex() {"}},
		Claim: handsOver, Row: "etcdraft/fifo -n 3 --led 1 --transfers 1 --proposals 1",
	},
}
