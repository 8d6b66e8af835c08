// Package fuzz has the targets of go test -fuzz, one for each protocol, and
// property-based tests of the interpreter they run on.
//
// Each is a [checker.Target] whose Configure picks systems and faults: what
// checker.Fuzz does for any protocol, with sizes chosen by hand. An input is a run: its
// first bytes pick a configuration and the faults, the rest
// are the choices of one schedule, read by [sample.Bytes]. Any bytes are a run, so
// the mutations of the fuzzer are small changes of a schedule, and every file in
// testdata/fuzz is a schedule that is run again by each go test.
//
//	go test ./fuzz -fuzz FuzzBackoff -fuzztime 1m
//
// The fuzzer tries only once to make an input smaller that it keeps, unless -fuzzminimizetime says
// otherwise. A run that violates a claim is minimised as a run, not as bytes, and kept under testdata/contend.
//
// [checker.Target]: contend/checker
// [sample.Bytes]: contend/checker/sample
package fuzz
