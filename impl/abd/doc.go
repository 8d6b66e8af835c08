// Package abd models the atomic register over quorums of Attiya, Bar-Noy and Dolev, Sharing Memory Robustly in
// Message-Passing Systems, 1995. Several writers follow Lynch and Shvartsman, 1997.
//
//   - abd.go: replicas, the two phases of a client, and its operations
//   - spec.go: the definitions that they use; variants override one of them
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: the claims, and the costs
//   - options.go: a known optimization, and harmless edits
//   - mutants.go: bugs, and published mistakes
//
// Left out: bounded labels, since numbers grow without bound; retransmission, since each message is sent once.
//
// The proofs are in docs/proofs/abd.md.
package abd
