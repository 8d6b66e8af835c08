// Package centralized is the lock with one coordinator, the "centralized algorithm" of the SDX
// lecture Coordination and Agreement (UPC).
//
//   - centralized.go is the algorithm, line by line
//   - protocol.go: parameters, systems, the checks
//   - claims.go and costs.go: the claims and the costs
//   - deny.go: the lecture's workaround for a coordinator that crashes, "deny permission
//     explicitly", in two readings
//   - stable.go: a coordinator that restarts with its queue
//   - options.go: the other readings, and edits that look like bugs but are not
//   - mutants.go: bugs, and the lecture's "problems"
//
// The proofs are in docs/proofs/centralized.md.
package centralized

//go:generate go run contend/cmd/contend-edits
