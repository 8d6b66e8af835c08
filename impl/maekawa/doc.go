// Package maekawa models the mutual exclusion algorithm of Maekawa, A √N Algorithm for Mutual
// Exclusion in Decentralized Systems, ACM TOCS 3(2), 1985, as the SDX lecture Coordination and
// Agreement (UPC) states it. Each process asks the members of its own voting set, any two sets
// have a common member, and each member votes for one process at a time.
//
// The files:
//
//   - maekawa.go is the lecture's text, line by line
//   - sets.go has the voting sets, and checks their properties
//   - inquire.go is Maekawa's own way to avoid deadlocks; the other way, ordered, is in options.go
//   - protocol.go makes systems, and lists checks and findings
//   - claims.go and waits.go have the lecture's claims; waits.go checks which process waits for which
//   - costs.go has the numbers of the lecture's table
//   - options.go has different readings, and harmless edits that look like bugs
//   - mutants.go has bugs, and faults that the lecture does not tolerate
//   - findings has the stored runs of claims that do not hold
//
// The proofs are in docs/proofs/maekawa.md.
package maekawa

//go:generate go run contend/cmd/contend-edits
