// Package fifo models FIFO ordering by sequence numbers per sender, "implementing FIFO ordering" in the SDX lecture
// Coordination and Agreement (UPC). Details are from "basic reliable multicasting" there.
//
//   - fifo.go is the algorithm, line by line
//   - sending.go: a sender that may crash half-way
//   - protocol.go: parameters, the system, the checks
//   - claims.go and costs.go: the claims and the costs
//   - stable.go: processes that restart with their knowledge
//   - options.go: the other readings, and harmless edits that look like bugs
//   - mutants.go: bugs, and faults that the text excludes
//
// The proofs are in docs/proofs/multicast-fifo.md.
package fifo

//go:generate go run contend/cmd/contend-edits
