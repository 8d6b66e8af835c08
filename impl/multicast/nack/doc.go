// Package nack models the "scalable reliable multicasting" of the SDX lecture Coordination and Agreement (UPC).
// Processes report only missing messages, after a random delay. One report suppresses the others.
//
//   - nack.go is the algorithm, line by line
//   - protocol.go: parameters, systems, the checks
//   - claims.go and costs.go: the claims and the costs
//   - repeat.go: NACKs that are repeated, and a sender that announces the number of its last message
//   - options.go: the other readings, and harmless edits that look like bugs
//   - mutants.go: bugs, and faults that the text excludes
//   - findings/: the stored runs of claims that do not hold as printed
//
// The proofs are in docs/proofs/multicast-nack.md.
package nack

//go:generate go run contend/cmd/contend-edits
