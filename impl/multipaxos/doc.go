// Package multipaxos models Paxos for a sequence of commands, by §3 of Lamport's Paxos Made Simple. A leader carries
// out phase 1 for all instances at once, and fills gaps with no-ops. After that it needs only phase 2.
//
//   - multipaxos.go: the handlers, each an action of MultiPaxosUs.tla by Chand, Liu and Stoller
//   - spec.go: the definitions that the actions use; variants override one of them
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go: the claims, and the costs
//   - options.go: different readings of the sources, and harmless edits
//   - mutants.go: bugs
//
// Left out: the election of a leader, since each ballot has its own; changes of the servers, and the bound α; the
// distinguished learner (§2.3); answers to clients; retransmission.
//
// Package paxos is one instance by itself; package ballots has what both have in common. The proofs are in docs/proofs/multipaxos.md.
package multipaxos
