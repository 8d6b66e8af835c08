// Package sigma models the Sigma algorithm. Clients that may crash ask servers for a critical section.
// The servers may crash, lose all memory, and restart. The package has Figure 1 of the paper that
// introduces Sigma, with its lemmas, propositions and theorems.
//
//   - sigma.go is Figure 1, line by line; spec.go has its definitions, and a variant overrides one of them
//   - bounds.go counts CHECKs and rounds, to bound a search
//   - protocol.go has the configuration, the system model (§2), the bounds on n, m and f
//   - notes.go has the notes of nodes for monitors
//   - claims.go lists the claims of the paper; lemmas.go checks claims about single runs,
//     progress.go claims about events that must occur
//   - costs.go counts messages (§4.2)
//   - options.go has other readings, and edits that look like bugs but are not; mutants.go has bugs
//   - findings has the traces of claims that do not hold as printed
//
// Proofs, readings and the bounds of the searches are in docs/proofs/sigma.md.
package sigma
