// Package paxos models Lamport's Paxos consensus algorithm of one decree, as his specification
// Paxos.tla states it: acceptors vote in numbered ballots, whose leaders propose only what is safe.
//
//   - paxos.go: the handlers, each an action of Paxos.tla
//   - spec.go: the definitions that the actions use; variants override one of them
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: the claims of Consensus.tla and Voting.tla, and the costs
//   - options.go: harmless edits, among them known optimizations
//   - mutants.go: bugs, and published mistakes
//
// The proofs are in docs/proofs/paxos.md.
package paxos
