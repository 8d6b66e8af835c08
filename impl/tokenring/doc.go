// Package tokenring is the lock with a token that goes round a ring, the "token ring algorithm" of
// the SDX lecture Coordination and Agreement (UPC).
//
//   - tokenring.go is the algorithm, line by line
//   - protocol.go: parameters, systems, what is checked
//   - claims.go and costs.go: what is claimed and counted
//   - lost.go: the lecture's first problem, a token that is lost and must be regenerated
//   - crash.go: the second, a process that crashes: the token is sent to the next member
//   - options.go: edits that look like bugs and are none
//   - mutants.go: bugs, and the lecture's "problems"
//
// The token goes round for ever, so no run ends by itself. The token carries no number, so that
// where nobody asks the states come back and a search is finite. The proofs are in
// docs/proofs/tokenring.md.
package tokenring
