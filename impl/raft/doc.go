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
//   - mutants.go: bugs, and published mistakes
//
// The proofs are in docs/proofs/raft.md.
package raft
