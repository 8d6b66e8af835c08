// Package backoff is the mutual exclusion protocol of Chockler, Malkhi and Reiter,
// Backoff Protocols for Distributed Mutual Exclusion and Ordering, ICDCS 2001,
// Figure 1: a client that sees others contend backs off for a random time, as on
// an Ethernet, and a client that wins has the critical section to itself for Δ.
//
// The paper is in backoff.go, to be read beside Figure 1; claims.go has what it claims,
// with what judges each claim.
//
// How it is checked is in the others:
//
//   - protocol.go: the entry of the suite, its default checks, and the findings
//   - adversary.go: what a Byzantine server may answer
//   - network.go: which messages are timely
//   - options.go: what variants edit; other readings, backoffs and leases
//   - truncated.go, finite.go: backoffs that stop growing, so that what is to be searched
//     is finite, and slow messages as moves of the environment
//   - section5.go, section5options.go: how the improvements of §5 change a client and a
//     server, and what they are
//   - mutants.go: bugs, each with the claim that it must break
//   - study.go: what is measured of response times
//   - findings/: the kept runs of what does not hold as printed
package backoff
