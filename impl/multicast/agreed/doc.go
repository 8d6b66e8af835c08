// Package agreed models total order by agreed sequence numbers, way b) of "implementing total
// ordering" in the SDX lecture Coordination and Agreement (UPC): the algorithm of ISIS.
//
//   - agreed.go is the algorithm, step by step
//   - protocol.go: parameters, the system, the checks
//   - claims.go and costs.go: the claims and the costs; numbers.go: the steps of the proof
//   - options.go: the other readings, and harmless edits that look like bugs
//   - mutants.go: bugs, and faults that the text excludes
//
// The proofs are in docs/proofs/multicast-agreed.md.
package agreed

//go:generate go run contend/cmd/contend-edits
