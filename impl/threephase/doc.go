// Package threephase models three-phase commit, the nonblocking protocol of Skeen (1981). Between the votes and the
// commit, all processes learn that all have voted yes. So the survivors of a crash can decide.
//
//   - threephase.go: the three phases, with the actions of ThreePhaseCommit.tla
//   - termination.go: the termination protocol after a crash of the coordinator
//   - rules.go: the rules of both protocols; variants override one of them
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: the properties AC1 to AC5 of atomic commitment, NB, and the costs
//   - timeouts.go: an option in which time-outs decide
//   - options.go, mutants.go: harmless edits, bugs, and faults that violate an assumption
//
// Left out: recovery, since crashes are for good.
//
// The proofs are in docs/proofs/threephase.md.
package threephase
