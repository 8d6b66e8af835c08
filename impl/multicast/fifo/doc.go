// Package fifo is FIFO ordering by sequence numbers per sender, "implementing FIFO ordering" in
// the SDX lecture Coordination and Agreement (UPC), with the details that it refers to in "basic
// reliable multicasting".
//
//   - fifo.go is the algorithm, line by line
//   - sending.go: a sender that may crash half-way
//   - protocol.go: parameters, the system, what is checked
//   - claims.go and costs.go: what is claimed and counted
//   - stable.go: processes that come back with what they knew
//   - options.go: the other readings, and edits that look like bugs and are none
//   - mutants.go: bugs, and what lies beyond the text
//
// The proofs are in docs/proofs/multicast-fifo.md.
package fifo
