// Package sequencer is total order by a sequencer, way a) of "implementing total ordering" in the
// SDX lecture Coordination and Agreement (UPC).
//
//   - sequencer.go is the algorithm, line by line
//   - protocol.go: parameters, the system, the checks
//   - claims.go and costs.go: the claims and the costs
//   - options.go: the other readings, and edits that look like bugs but are not
//   - member.go: a process of the group as the sequencer
//   - orders.go: senders multicast by themselves, and the sequencer multicasts numbers alone
//   - stable.go: a sequencer that restarts with its number
//   - mutants.go: bugs, and faults beyond the text
//
// The proofs are in docs/proofs/multicast-sequencer.md.
package sequencer

//go:generate go run contend/cmd/contend-edits
