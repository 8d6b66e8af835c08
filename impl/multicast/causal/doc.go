// Package causal models causal ordering by vector clocks, "implementing causal ordering" in the SDX
// lecture Coordination and Agreement (UPC).
//
//   - causal.go is the algorithm, line by line
//   - sending.go: a sender that may crash half-way
//   - protocol.go: parameters, the system, the checks
//   - claims.go and costs.go: the claims and the costs
//   - receipts.go: order after every message that was received, delivered or not
//   - stable.go: processes that restart with their clocks
//   - options.go: the other readings, and harmless edits that look like bugs
//   - mutants.go: bugs, and faults that the text excludes
//   - findings/: the stored run of a claim that does not hold as printed
//
// The proofs are in docs/proofs/multicast-causal.md.
package causal

//go:generate go run contend/cmd/contend-edits
