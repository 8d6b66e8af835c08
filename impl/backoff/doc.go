// Package backoff models the mutual exclusion protocol of Chockler, Malkhi and Reiter,
// Backoff Protocols for Distributed Mutual Exclusion and Ordering, ICDCS 2001,
// Figure 1. A client that sees others contend backs off for a random time, as on
// an Ethernet. A client that wins has the critical section to itself for Δ.
//
// Read backoff.go beside Figure 1. The paper's claims, and their monitors,
// are in claims.go.
//
// The other files check the protocol:
//
//   - protocol.go: the entry of the suite, its default checks, and the findings
//   - adversary.go: the answers that a Byzantine server may send
//   - network.go: which messages are timely
//   - options.go: the setup of variants; other readings, backoffs and leases
//   - truncated.go, finite.go: backoffs that stop growing, so that the state space is
//     finite, and slow messages as moves of the environment
//   - section5.go, section5options.go: the changes of a client and a server by the
//     improvements of §5, and these improvements
//   - mutants.go: bugs, each with the claim that it breaks
//   - study.go: the measured response times
//   - findings/: the stored runs of claims that do not hold as printed
package backoff

//go:generate go run contend/cmd/contend-edits
