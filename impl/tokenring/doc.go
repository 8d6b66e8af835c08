// Package tokenring is the lock with a token that circulates on a ring, the "token ring algorithm" of
// the SDX lecture Coordination and Agreement (UPC).
//
//   - tokenring.go is the algorithm, line by line
//   - protocol.go: parameters, systems, the checks
//   - claims.go and costs.go: the claims and the costs
//   - lost.go: the lecture's first problem, a token that is lost and must be regenerated
//   - crash.go: the second, a process that crashes: the token is sent to the next member
//   - options.go: edits that look like bugs but are not
//   - mutants.go: bugs, and the lecture's "problems"
//
// The token circulates for ever, so no run ends by itself. The token carries no number, so states
// recur when nobody asks, and a search is finite. The proofs are in docs/proofs/tokenring.md.
package tokenring

//go:generate go run contend/cmd/contend-edits
