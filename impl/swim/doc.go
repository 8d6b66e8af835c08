// Package swim models SWIM, the membership protocol of Das, Gupta and Motivala (2002). Members ping each other in turn,
// directly and through others. They suspect members that do not answer. Their messages carry news of members.
//
//   - swim.go: the failure detector, pings and requests to ping
//   - membership.go: suspicion, incarnation numbers, and how news is spread
//   - rules.go: the rules that members follow; variants override one of them
//   - protocol.go: the entry of the suite, the system, the default checks
//   - claims.go, infection.go, costs.go: completeness and dissemination in bounded time, accuracy, the
//     rules' properties, and the costs
//   - options.go, mutants.go: readings, harmless edits, bugs, and faults beyond
//
// Left out: joining and voluntary leave, and the return of a member that was declared as failed; the bound on the size of
// messages, and on how often news is sent.
//
// The proofs are in docs/proofs/swim.md.
package swim
