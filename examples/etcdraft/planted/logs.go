package main

var logs = []Bug{
	{
		Name:   "append-unchecked",
		Models: "a follower checks that it has an entry before the new ones, and not that it is of the same term",
		Edits:  []Edit{{"log.go", "if !l.matchTerm(a.prev) {", "if a.prev.index > l.lastIndex() {"}},
		Claim:  logMatching, Row: "etcdraft -n 3 --candidates 2 --campaigns 2 --proposals 0",
	},
	{
		Name:   "append-stale",
		Models: "a server takes entries of a leader of an earlier term (Figure 2 of the Raft paper, AppendEntries, rule 1, left out)",
		Edits:  []Edit{{"raft.go", "case m.Term < r.Term:", "case m.Term < r.Term && m.Type != pb.MsgApp:"}},
		Claim:  leaderCompleteness, Row: "etcdraft -n 3 --led 1 --candidates 2 --proposals 1",
	},
	{
		Name:   "append-conflict-kept",
		Models: "an entry that is there already stays, though the leader's is of another term",
		Edits:  []Edit{{"log.go", "!l.matchTerm(id) {\n\t\t\tif id.index", "id.index > l.lastIndex() {\n\t\t\tif id.index"}},
		Claim:  stateMachine, Row: "etcdraft -n 3 --candidates 2 --proposals 0 --ticks 1",
	},
	{
		Name:   "append-late-truncates",
		Models: "a late message with entries that are all there cuts off what follows them (the Raft paper's \"if an existing entry conflicts\" left out)",
		Edits:  []Edit{{"log.go", "ci := l.findConflict(a.entries)", "ci := a.prev.index + 1"}},
		Claim:  leaderCompleteness, Row: "etcdraft -n 3 --candidates 2 --ticks 1",
	},
}
