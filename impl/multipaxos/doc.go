// Package multipaxos models Paxos for a sequence of commands, as §3 of Lamport's Paxos Made Simple states it: a leader
// carries out phase 1 for all instances at once, fills gaps with no-ops, and then needs phase 2 alone.
//
//   - multipaxos.go: the handlers, each an action of MultiPaxosUs.tla by Chand, Liu and Stoller
//   - spec.go: the definitions that the actions use; variants override one of them
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go: the claims, and the costs
//   - options.go: different readings of the sources, and harmless edits
//   - mutants.go: bugs
//
// Package paxos models one instance. The proofs are in docs/proofs/multipaxos.md.
package multipaxos
