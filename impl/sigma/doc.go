// Package sigma is the Sigma algorithm. Clients that may crash ask servers for a critical section.
// The servers may crash, lose all memory, and restart. The package has Figure 1 of the paper that
// introduces Sigma, with its lemmas, propositions and theorems.
//
//   - sigma.go is Figure 1, line by line; spec.go has the definitions that it uses, of which variants override one
//   - bounds.go counts what a search must bound
//   - protocol.go is what clients and servers share, the system model (§2), the bounds on n, m and f
//   - notes.go is what nodes report to monitors
//   - claims.go lists what the paper claims; lemmas.go watches claims about single runs,
//     progress.go claims about what happens in the end
//   - costs.go counts messages (§4.2)
//   - options.go has other readings, and edits that look like bugs but are not; mutants.go has bugs
//   - findings has the kept traces of claims that do not hold as printed
//
// Proofs, readings and the bounds of the searches are in docs/proofs/sigma.md.
package sigma
