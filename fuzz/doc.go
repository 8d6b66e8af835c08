// Package fuzz has the targets of go test -fuzz, one for each protocol, and property-based tests of the
// interpreter.
//
// Each target is a [checker.Target] whose Configure picks systems and faults. This is checker.Fuzz with sizes
// chosen by hand. An input determines a run. Its first bytes pick a configuration and the faults; the rest
// are the choices of one schedule, read by [sample.Bytes]. All bytes are valid, so the fuzzer's mutations are
// small changes of a schedule. Each go test runs the schedules in testdata/fuzz again.
//
//	go test ./fuzz -fuzz FuzzBackoff -fuzztime 1m
//
// The fuzzer makes only one attempt at minimizing an input, unless -fuzzminimizetime is set. A violating run
// is minimized as a run, not as bytes, and stored under testdata/contend.
//
// [checker.Target]: contend/checker [sample.Bytes]: contend/checker/sample
package fuzz
