// Package enhancedring is the enhanced ring algorithm for elections of the SDX lecture
// Coordination and Agreement (UPC): a ring whose processes skip those that do not respond.
//
//   - enhancedring.go is the algorithm, line by line
//   - protocol.go: parameters, systems, the checks
//   - claims.go and costs.go: the claims and the costs
//   - detector.go: a failure detector replaces the time-outs
//   - options.go: the other readings, and edits that look like bugs but are not
//   - mutants.go: bugs, and faults that the algorithm does not tolerate
//   - findings/: the stored runs of claims that do not hold as printed
//
// The proofs are in docs/proofs/enhancedring.md.
package enhancedring

//go:generate go run contend/cmd/contend-edits
