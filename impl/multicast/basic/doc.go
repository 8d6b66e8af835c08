// Package basic is the "basic reliable multicasting" of the SDX lecture Coordination and
// Agreement (UPC): sequence numbers, a history buffer and acknowledgements.
//
//   - basic.go is the algorithm, line by line
//   - protocol.go: parameters, systems, the checks
//   - claims.go and costs.go: the claims and the costs
//   - resend.go: a sender that sends again while acknowledgements are missing, and stable storage
//   - options.go: the other readings, and edits that look like bugs but are not
//   - mutants.go: bugs, and faults beyond the text
//   - findings/: the stored runs of claims that do not hold as printed
//
// The proofs are in docs/proofs/multicast-basic.md.
package basic

//go:generate go run contend/cmd/contend-edits
