// Package naimithiare is the mutual exclusion algorithm of M. Naimi and O. Thiare, Distributed
// Mutual Exclusion Based on Causal Ordering, 2009: Suzuki and Kasami's, with requests that carry
// the requests before them, so that the token goes round in their causal order.
//
//   - naimithiare.go: the paper, rules 1 to 4
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: what is claimed, and what is counted
//   - options.go: other readings of the text, and edits that do no harm
//   - mutants.go: bugs, and faults that the text does not tolerate
//   - findings/: the kept runs of what does not hold as printed
package naimithiare
