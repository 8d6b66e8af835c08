package main

var reads = []Bug{
	{
		Name:   "read-unconfirmed",
		Models: "the leader answers a read without asking whether it still leads",
		Edits: []Edit{{"raft.go", "if r.trk.IsSingleton() {\n\t\t\tif resp",
			"if r.trk.IsSingleton() || r.committedEntryInCurrentTerm() {\n\t\t\tif resp"}},
		Claim: linearizable, Row: "etcdraft -n 3 --led 1 --reads 1", Quick: true,
	},
	{
		Name:   "read-old-round",
		Models: "the answer to a heartbeat that was sent before the read confirms that the leader still leads",
		Edits: []Edit{{"raft.go", "if r.readOnly.option != ReadOnlySafe || len(m.Context) == 0 {",
			"m.Context = []byte(r.readOnly.lastPendingRequestCtx())\n\t\tif r.readOnly.option != ReadOnlySafe || len(m.Context) == 0 {"}},
		Claim: linearizable, Row: "etcdraft/fifo -n 3 --led 1 --reads 1 --ticks 1",
	},
	{
		Name:   "read-early",
		Models: "a new leader answers a read before it has committed an entry of its term (etcd-io/etcd issue 7331, of 2017)",
		Edits: []Edit{{"raft.go", "if !r.committedEntryInCurrentTerm() {\n\t\t\tr.pending",
			"if r.raftLog.committed == 0 {\n\t\t\tr.pending"}},
		Claim: linearizable, Row: "etcdraft/fifo -n 3 --candidates 2 --reads 1",
	},
}
