// Package nack is the "scalable reliable multicasting" of the SDX lecture Coordination and
// Agreement (UPC): only missing messages are reported, after a random delay, and one report
// suppresses the others.
//
//   - nack.go is the algorithm, line by line
//   - protocol.go: parameters, systems, what is checked
//   - claims.go and costs.go: what is claimed and counted
//   - repeat.go: NACKs that are repeated, and a sender that tells the number of its last message
//   - options.go: the other readings, and edits that look like bugs and are none
//   - mutants.go: bugs, and what lies beyond the text
//   - findings/: the kept runs of what does not hold as printed
//
// The proofs are in docs/proofs/multicast-nack.md.
package nack
