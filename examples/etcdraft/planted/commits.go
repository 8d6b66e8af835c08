package main

var commits = []Bug{
	{
		Name:   "commit-quorum",
		Models: "an entry counts as committed one acknowledgement too early",
		Edits:  []Edit{{"quorum/majority.go", "pos := n - (n/2 + 1)", "pos := n - n/2"}},
		Claim:  leaderCompleteness, Row: "etcdraft -n 3 --candidates 2 --proposals 0", Quick: true,
	},
	{
		Name:   "commit-earlier-term",
		Models: "an entry of an earlier term is committed by counting its copies (Figure 8 of the Raft paper)",
		Edits:  []Edit{{"log.go", "at.index > l.committed && l.matchTerm(at)", "at.index > l.committed"}},
		Claim:  leaderCompleteness, Row: "etcdraft -n 3 --candidates 2 --campaigns 2 --proposals 0 --inflight 1",
	},
	{
		Name:   "commit-on-send",
		Models: "the leader takes an entry for received when it sends it",
		Edits: []Edit{{"tracker/progress.go", "pr.Next += uint64(entries)",
			"pr.Next += uint64(entries)\n\t\t\tpr.Match = pr.Next - 1"}},
		Claim: leaderCompleteness, Row: "etcdraft -n 3 --candidates 2",
	},
	{
		Name:   "commit-heartbeat",
		Models: "a heartbeat carries the leader's commit index to followers that have not caught up",
		Edits:  []Edit{{"raft.go", "commit := min(pr.Match, r.raftLog.committed)", "commit := r.raftLog.committed"}},
		Claim:  stateMachine, Row: "etcdraft -n 3 --candidates 2 --proposals 0 --ticks 1",
	},
	{
		Name:   "commit-unrestored",
		Models: "a server that restarts has forgotten its commit index",
		Edits:  []Edit{{"raft.go", "r.raftLog.committed = state.Commit", "// r.raftLog.committed is left as it is"}},
		Claim:  commitIndex, Row: "etcdraft -n 2 --proposals 0 --restarts 1", Quick: true,
	},
	{
		Name:   "applied-twice",
		Models: "the last entry that was applied is handed out again with the next ones",
		Edits: []Edit{{"log.go", "lo, hi := l.applying+1, l.maxAppliableIndex(allowUnstable)+1 // [lo, hi)\n\tif lo >= hi {",
			"lo, hi := max(l.applying, l.firstIndex()), l.maxAppliableIndex(allowUnstable)+1\n\tif l.applying+1 >= hi {"}},
		Claim: inOrder, Row: "etcdraft -n 1", Quick: true,
	},
}
