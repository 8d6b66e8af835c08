// Package backoff is the mutual exclusion protocol of Chockler, Malkhi and Reiter,
// Backoff Protocols for Distributed Mutual Exclusion and Ordering, ICDCS 2001,
// Figure 1. A client that sees others contend backs off for a random time, as on
// an Ethernet. A client that wins has the critical section to itself for Δ.
//
// Read backoff.go beside Figure 1. The paper's claims, and the monitors that judge them,
// are in claims.go.
//
// The other files say how the protocol is checked:
//
//   - protocol.go: the entry of the suite, its default checks, and the findings
//   - adversary.go: what a Byzantine server may answer
//   - network.go: which messages are timely
//   - options.go: what variants edit; other readings, backoffs and leases
//   - truncated.go, finite.go: backoffs that stop growing, so that the state space is
//     finite, and slow messages as moves of the environment
//   - section5.go, section5options.go: how the improvements of §5 change a client and a
//     server, and what they are
//   - mutants.go: bugs, each with the claim that it must break
//   - study.go: which response times are measured
//   - findings/: the kept runs of claims that do not hold as printed
package backoff
