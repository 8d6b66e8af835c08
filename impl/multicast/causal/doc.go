// Package causal is causal ordering by vector clocks, "implementing causal ordering" in the SDX
// lecture Coordination and Agreement (UPC).
//
//   - causal.go is the algorithm, line by line
//   - sending.go: a sender that may crash half-way
//   - protocol.go: parameters, the system, what is checked
//   - claims.go and costs.go: what is claimed and counted
//   - receipts.go: messages that happened before because they were received, delivered or not
//   - stable.go: processes that come back with their clocks
//   - options.go: the other readings, and edits that look like bugs and are none
//   - mutants.go: bugs, and what lies beyond the text
//   - findings/: the kept run of what does not hold as printed
//
// The proofs are in docs/proofs/multicast-causal.md.
package causal
