// Package unordered is the multicast that orders nothing: each process delivers a message when it
// arrives. It is what the SDX lecture's reliable and ordered multicasts are made for ("Due to the
// latency, messages might arrive in different order at different nodes"), and the protocol on
// whose runs it is found out which ordering requirement implies which: on channels that change
// the order of messages it has every run of multicasts and deliveries that keeps integrity.
//
//   - unordered.go is the multicast
//   - protocol.go: parameters, systems, what is checked; costs
//   - claims.go: what is claimed
//   - implications.go: the implications between properties, asked for by name
//   - options.go: FIFO channels, other readings, and edits that look like bugs and are none
//   - mutants.go: bugs, and what lies beyond reliable channels
//
// The proofs are in docs/proofs/multicast-unordered.md.
package unordered
