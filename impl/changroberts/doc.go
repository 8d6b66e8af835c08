// Package changroberts is Chang and Roberts' ring algorithm for elections, as the SDX lecture
// Coordination and Agreement (UPC) states it.
//
//   - changroberts.go is the algorithm, line by line
//   - protocol.go: parameters, systems, what is checked
//   - claims.go and costs.go: what is claimed and counted
//   - options.go: the other readings, and edits that look like bugs and are none
//   - mutants.go: bugs, and faults that the text does not tolerate
//   - findings/: the kept runs of what does not hold
//
// The proofs are in docs/proofs/changroberts.md.
package changroberts
