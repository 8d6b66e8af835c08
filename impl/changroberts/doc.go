// Package changroberts is Chang and Roberts' ring algorithm for elections, as the SDX lecture
// Coordination and Agreement (UPC) states it.
//
//   - changroberts.go is the algorithm, line by line
//   - protocol.go: parameters, systems, the checks
//   - claims.go and costs.go: the claims and the costs
//   - options.go: the other readings, and edits that look like bugs but are not
//   - mutants.go: bugs, and faults that the text does not tolerate
//   - findings/: the kept runs of claims that do not hold
//
// The proofs are in docs/proofs/changroberts.md.
package changroberts

//go:generate go run contend/cmd/contend-edits
