// Package lin is Lin's voting algorithm for mutual exclusion over N coordinators, as the SDX
// lecture Coordination and Agreement (UPC, 2018/19) states it, with OPTION B, in which a process
// that sees nobody get majority yields. OPTION A, in which it retries, is an option.
//
//   - lin.go is the page: the handlers, beside the lecture's steps.
//   - protocol.go has the parameters, the system, the checks, the findings and the claims.
//   - costs.go has the lecture's numbers of messages.
//   - options.go has option A, other readings, corrections, and edits that look like bugs.
//   - led.go leads processes to a livelock, and some mutants to where they fail.
//   - mutants.go has the bugs.
//
// The proofs, the readings and what was found are in docs/proofs/lin.md.
package lin
