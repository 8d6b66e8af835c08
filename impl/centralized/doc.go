// Package centralized is the lock with one coordinator, the "centralized algorithm" of the SDX
// lecture Coordination and Agreement (UPC).
//
//   - centralized.go is the algorithm, line by line
//   - protocol.go: parameters, systems, what is checked
//   - claims.go and costs.go: what is claimed and counted
//   - deny.go: the lecture's workaround for a coordinator that crashes, "deny permission
//     explicitly", in two readings
//   - stable.go: a coordinator that comes back with its queue
//   - options.go: the other readings, and edits that look like bugs and are none
//   - mutants.go: bugs, and the lecture's "problems"
//
// The proofs are in docs/proofs/centralized.md.
package centralized
