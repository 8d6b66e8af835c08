// Package enhancedring is the enhanced ring algorithm for elections of the SDX lecture
// Coordination and Agreement (UPC): a ring whose processes pass over who does not respond.
//
//   - enhancedring.go is the algorithm, line by line
//   - protocol.go: parameters, systems, what is checked
//   - claims.go and costs.go: what is claimed and counted
//   - detector.go: responses told from silence by a failure detector in place of time-outs
//   - options.go: the other readings, and edits that look like bugs and are none
//   - mutants.go: bugs, and faults that the algorithm does not tolerate
//   - findings/: the kept runs of what does not hold as printed
//
// The proofs are in docs/proofs/enhancedring.md.
package enhancedring
