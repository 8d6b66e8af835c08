// Package pbft models Castro and Liskov's Practical Byzantine Fault Tolerance (OSDI 1999): the normal case and view
// changes, with Byzantine replicas. Its actions are those of Howard's specification pbft.tla. Checkpoints are left out.
//
//   - pbft.go: the normal case, §4.2, each handler an action of pbft.tla
//   - viewchange.go: view changes, §4.4
//   - spec.go: the definitions that the actions use; variants override one of them
//   - adversary.go, forgeviews.go: what a Byzantine replica may send
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go: the paper's statements, and the costs
//   - options.go: different readings of the sources
//   - mutants.go: bugs, and published mistakes
//   - starts.go: states from which runs may begin
//
// The proofs are in docs/proofs/pbft.md.
package pbft
