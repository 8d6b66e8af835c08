// Package maekawa is the mutual exclusion algorithm of Maekawa, A √N Algorithm for Mutual
// Exclusion in Decentralized Systems, ACM TOCS 3(2), 1985, as the SDX lecture Coordination and
// Agreement (UPC) states it: each process asks the members of its own voting set, any two sets
// meet, and each member votes for one process at a time.
//
// The folder:
//
//   - maekawa.go is the lecture's text, line by line
//   - sets.go has the voting sets, and checks their properties
//   - protocol.go makes systems, and lists checks and findings
//   - claims.go and waits.go have what the lecture claims; waits.go watches who waits for whom
//   - costs.go has the numbers of the lecture's table
//   - options.go has readings, and edits that look like bugs and are not
//   - ordered.go and inquire.go are two ways to do away with deadlocks, the second Maekawa's own
//   - mutants.go has bugs, and faults beyond what the lecture tolerates
//   - findings has the kept runs of what does not hold
//
// The proofs are in docs/proofs/maekawa.md.
package maekawa
