// Package raft models the consensus algorithm of Ongaro and Ousterhout: leader election and log replication. It follows
// Figure 2 of the paper and Ongaro's specification raft.tla.
//
//   - raft.go: the handlers, each an action of raft.tla
//   - spec.go: the definitions that the actions use; variants override one of them
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: the five properties of Figure 3, others, and the costs
//   - options.go: different readings of the sources, and harmless edits
//   - membership.go: a cluster whose servers join and leave, with its options and mutants
//   - readindex.go: reads without the log, with their claim, options and mutants
//   - timely.go: time-outs and heartbeats with times, and the claim of progress
//   - starts.go: states from which runs may begin
//   - mutants.go: bugs, and published mistakes
//
// Left out: joint consensus (§6), for which changes of one server at a time stand; client sessions (§8); snapshots (§7);
// PreVote, and the rule that a server disregards RequestVote while it hears a leader; leases; leadership transfer; a
// candidate that asks again in its term. The option retries has a leader that sends again. Progress is claimed of
// the option timely alone.
//
// The proofs are in docs/proofs/raft.md.
package raft
