// Package sigma is the Sigma algorithm: clients that may crash ask servers for a critical section,
// and the servers may crash, lose all memory, and come back. It is Figure 1 of the paper that
// introduces Sigma, with its lemmas, propositions and theorems.
//
//   - sigma.go is Figure 1, line by line
//   - protocol.go is what clients and servers share, the system model (§2), the bounds on n, m and f
//   - notes.go is what nodes let monitors see
//   - claims.go lists what the paper claims; lemmas.go watches what is about single runs,
//     progress.go what comes to pass in the end
//   - costs.go counts messages (§4.2)
//   - options.go has other readings, and edits that look like bugs and are none; mutants.go has bugs
//   - findings has the kept traces of what does not hold as printed
//
// Proofs, readings and the bounds of the searches are in docs/proofs/sigma.md.
package sigma
