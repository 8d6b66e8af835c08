// Package gotest checks protocols under go test: each check and each mutant in a subtest. Counterexamples are
// stored by package kept, and replayed first by the next run.
//
// test.go has the subtests and the options of their checks, deadline.go ends a check before go test does, report.go
// prints rows, and mutant.go has the tests of mutants.
package gotest
