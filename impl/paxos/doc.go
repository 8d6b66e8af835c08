// Package paxos models Lamport's Paxos consensus algorithm of one decree, by his specification Paxos.tla. Acceptors
// vote in numbered ballots, and the leader of a ballot proposes only a safe value.
//
//   - paxos.go: the handlers, each an action of Paxos.tla
//   - spec.go: the definitions that the actions use; variants override one of them
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: the claims of Consensus.tla and Voting.tla, and the costs
//   - options.go: harmless edits, among them known optimizations
//   - mutants.go: bugs, and published mistakes
//
// Left out: the distinguished proposer, and so progress (§2.4); the distinguished learner (§2.3); retransmission. Each
// ballot has its own leader, each acceptor sends its votes to all learners, and each message is sent once.
//
// The proofs are in docs/proofs/paxos.md.
package paxos
