// Package fuzzing makes fuzz targets of protocols. An input of a target is a run: its first bytes choose the system,
// the others a schedule.
//
// fuzz.go is for go test -fuzz, and inputs.go runs inputs without go test; corpus.go has what they found. trial.go
// runs one schedule, run.go converts it to a trace, and broken.go is the error of a run that violates a claim.
// ready.go finds mistakes in a protocol before the first run.
package fuzzing
