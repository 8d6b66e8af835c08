// Package view is the SDX lecture's atomic multicast, "a.k.a. virtual synchrony or view-synchronous
// multicast": a membership service sends views, and members flush what is under way before the next
// one takes effect. The lecture gives properties; the algorithm is that of its textbook (Tanenbaum
// and Van Steen, Distributed Systems, on virtual synchrony in Isis).
//
//   - view.go: the algorithm
//   - send.go: how copies leave one after another, so that a sender may crash in between
//   - protocol.go: the entry of the suite, the system, the checks
//   - claims.go, costs.go: what is claimed, and what is counted
//   - options.go: other readings of the text, and edits that do no harm
//   - uniform.go: the reading in which a message is delivered when all have it
//   - ordered.go: the reading in which all deliver in the same order
//   - mutants.go: bugs, and faults that the text does not tolerate
//   - pictures_test.go: the lecture's four pictures, each a run
//   - findings/: the kept runs of what does not hold as printed
//
// The proofs are in docs/proofs/multicast-view.md.
package view
