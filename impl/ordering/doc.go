// Package ordering models the protocol of Chockler, Malkhi and Reiter, Backoff Protocols for Distributed Mutual
// Exclusion and Ordering, ICDCS 2001, §6. Clients order operations on a replicated object by a three-phase commit of
// whole states to quorums of servers. Of the servers, b may lie. The protocol is safe for any behavior of contend, and
// live after contend keeps the clients apart.
//
// The code follows Figures 2 and 3. Where they leave a choice, docs/proofs/ordering.md
// names the choice here. Each other reading is a variant.
//
// Four files follow the paper, to be read beside it:
//
//   - client.go: Figure 2, the client with its ordering thread and choose
//   - server.go: Figure 3, the server, with the messages and what they note
//   - state.go: §6.1 and §6.2, labels, operations, the state σ, and ranks
//   - object/: the objects that are replicated
//
// Two files have its claims, with their monitors:
//
//   - claims.go: Theorems 1 and 2, line 2.25
//   - lemmas.go: Lemmas 3 and 4 and Corollary 3, about the causal order
//
// The other files check the protocol:
//
//   - protocol.go: the entry of the suite, its default checks, and its configuration
//   - adversary.go: the messages that a Byzantine server may send
//   - contend.go: the implementations of contend besides the abstract one, such as Figure 1
//   - workloads.go: the clients' operations, and the states in which runs may begin
//   - late.go: such states with messages in flight that arrive late
//   - options.go: other readings, and harmless changes
//   - mutants.go: bugs, each with the claim that it breaks
//   - findings/: the stored runs of claims that do not hold as printed
package ordering

//go:generate go run contend/cmd/contend-edits
