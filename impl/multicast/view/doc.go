// Package view is the SDX lecture's atomic multicast, "a.k.a. virtual synchrony or view-synchronous
// multicast": a membership service sends views, and members flush the messages in flight before the
// next one takes effect. The lecture gives properties; the algorithm is that of its textbook (Tanenbaum
// and Van Steen, Distributed Systems, on virtual synchrony in Isis).
//
//   - view.go: the algorithm
//   - spec.go: the definitions that the algorithm uses; variants override one
//   - send.go: how copies are sent one after another, so that a sender may crash between two
//   - protocol.go: the entry of the suite, the system, the checks
//   - claims.go, costs.go: the claims and the costs
//   - options.go: other readings of the text, and harmless edits
//   - uniform.go: the reading in which a message is delivered when all have it
//   - ordered.go: the reading in which all deliver in the same order
//   - mutants.go: bugs, and faults that the text does not tolerate
//   - pictures_test.go: the lecture's four pictures, each a run
//   - findings/: the stored runs of claims that do not hold as printed
//
// The proofs are in docs/proofs/multicast-view.md.
package view
