// Package basic is the "basic reliable multicasting" of the SDX lecture Coordination and
// Agreement (UPC): sequence numbers, a history buffer and acknowledgements.
//
//   - basic.go is the algorithm, line by line
//   - protocol.go: parameters, systems, what is checked
//   - claims.go and costs.go: what is claimed and counted
//   - resend.go: a sender that sends again while acknowledgements are missing, and stable storage
//   - options.go: the other readings, and edits that look like bugs and are none
//   - mutants.go: bugs, and what lies beyond the text
//   - findings/: the kept runs of what does not hold as printed
//
// The proofs are in docs/proofs/multicast-basic.md.
package basic
