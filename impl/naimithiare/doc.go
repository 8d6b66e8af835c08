// Package naimithiare models the mutual exclusion algorithm of M. Naimi and O. Thiare, Distributed Mutual Exclusion
// Based on Causal Ordering, 2009. It extends Suzuki and Kasami's algorithm: a request carries earlier requests, so that
// the token follows their causal order.
//
//   - naimithiare.go: the paper, rules 1 to 4
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, costs.go: the claims and the costs
//   - options.go: other readings of the text, and harmless edits
//   - mutants.go: bugs, and faults that the text does not tolerate
//   - findings/: the stored runs of claims that do not hold as printed
package naimithiare

//go:generate go run contend/cmd/contend-edits
