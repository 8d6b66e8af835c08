// Package suzukikasami is the mutual exclusion algorithm of Suzuki and Kasami as Naimi and
// Thiare state it, Distributed Mutual Exclusion Based on Causal Ordering, 2009, in their section
// "Suzuki-Kasami's algorithm": requests are broadcast, and who has the one token may enter.
//
//   - suzukikasami.go: the paper
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: what is claimed, and what is counted
//   - options.go: other readings of the text, and edits that do no harm
//   - mutants.go: bugs, and faults that the text does not tolerate
//   - findings/: the kept runs of what does not hold
package suzukikasami
