// Package twophase models two-phase commit, by Gray and Lamport's specification TwoPhase.tla (Consensus on Transaction
// Commit, 2004). A transaction manager commits after all resource managers have prepared, and may abort before.
//
//   - twophase.go: the handlers, each an action of TwoPhase.tla
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: the theorems of TwoPhase.tla, termination, and the costs
//   - options.go: steps that TwoPhase.tla leaves out, and harmless edits
//   - mutants.go: bugs, and faults that block
//
// Left out: cooperative termination, in which a prepared resource manager asks the others; the request to prepare;
// retransmission without a restart.
//
// The proofs are in docs/proofs/twophase.md.
package twophase
