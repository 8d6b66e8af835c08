// Package suzukikasami models the mutual exclusion algorithm of Suzuki and Kasami. It follows the section
// "Suzuki-Kasami's algorithm" of Naimi and Thiare, Distributed Mutual Exclusion Based on Causal Ordering, 2009.
// Requests are broadcast, and only the holder of the single token may enter.
//
//   - suzukikasami.go: the paper
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: the claims and the costs
//   - options.go: other readings of the text, and harmless edits
//   - mutants.go: bugs, and faults that the text does not tolerate
//   - findings/: the stored runs of claims that do not hold
package suzukikasami

//go:generate go run contend/cmd/contend-edits
