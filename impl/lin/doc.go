// Package lin models Lin's voting algorithm for mutual exclusion over N coordinators, as the SDX
// lecture Coordination and Agreement (UPC, 2018/19) states it. It has OPTION B: a process that
// sees no majority yields. The lecture's OPTION A is an option: the process retries.
//
//   - lin.go has the handlers, beside the lecture's steps.
//   - protocol.go has the parameters, the system, the checks, the findings and the claims.
//   - costs.go has the lecture's numbers of messages.
//   - options.go has option A, other readings, corrections, and edits that look like bugs.
//   - led.go restricts runs to those that lead into a livelock, or to the violation of a mutant.
//   - mutants.go has the bugs.
//
// The proofs, the readings and the findings are in docs/proofs/lin.md.
package lin

//go:generate go run contend/cmd/contend-edits
