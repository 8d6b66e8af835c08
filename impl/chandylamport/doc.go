// Package chandylamport models the snapshot algorithm of Chandy and Lamport, Distributed Snapshots: Determining Global
// States of Distributed Systems (1985). Processes send each other money over FIFO channels. They record a state that
// the system could have passed through.
//
//   - chandylamport.go: the handlers, each an event of the formal proof by Fiedler and Traytel
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, cut.go, costs.go: Theorem 1, its consequences, termination, the computation, and the costs
//   - options.go: readings, and harmless edits
//   - mutants.go: bugs, and faults that the paper excludes
//
// Left out: the collection of the records; a second snapshot; channels that are not FIFO. The network keeps the order of
// messages: this is assumed and not implemented.
//
// The proofs are in docs/proofs/chandylamport.md.
package chandylamport
