// Package bully is the election by the bully algorithm, of the SDX lecture Coordination and
// Agreement (UPC).
//
//   - bully.go is the algorithm, line by line
//   - protocol.go: parameters, the two time-outs, systems, the checks
//   - claims.go and costs.go: the claims and the costs
//   - detector.go: a failure detector replaces the time-outs
//   - options.go: the other readings, and edits that look like bugs but are not
//   - beyond.go: the protocol as printed, with faults that it does not tolerate
//   - mutants.go: bugs
//
// The proofs are in docs/proofs/bully.md.
package bully

//go:generate go run contend/cmd/contend-edits
