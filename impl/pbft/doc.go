// Package pbft models Castro and Liskov's Practical Byzantine Fault Tolerance (OSDI 1999): the normal case and view
// changes, with Byzantine replicas. Its actions are those of Howard's specification pbft.tla.
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
// Left out: clients, with their time-outs (§4.1); checkpoints and garbage collection (§4.3), so the low water mark stays 0;
// the transfer of requests and of states that a replica lacks (§4.4); services whose replicas choose values (§4.6); the
// optimizations of §5. A message that is lost is not sent again.
//
// The proofs are in docs/proofs/pbft.md.
package pbft
