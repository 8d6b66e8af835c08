// Package unordered is the multicast that orders nothing: each process delivers a message when it
// arrives. It is the problem that the SDX lecture's reliable and ordered multicasts solve ("Due to
// the latency, messages might arrive in different order at different nodes"). Its runs also show
// which ordering requirement implies which: on channels that reorder messages it has every run of
// multicasts and deliveries that keeps integrity.
//
//   - unordered.go is the multicast
//   - protocol.go: parameters, systems, the checks; costs
//   - claims.go: what is claimed
//   - implications.go: the implications between properties, checked by name
//   - options.go: FIFO channels, other readings, and edits that look like bugs but are not
//   - mutants.go: bugs, and what lies beyond reliable channels
//
// The proofs are in docs/proofs/multicast-unordered.md.
package unordered

//go:generate go run contend/cmd/contend-edits
