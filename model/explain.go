package model

// An Orderer is the monitor of a claim of kind [Linearizable] that finds an order of the operations
// for people to read.
type Orderer interface {
	// Order gives the longest order that explains what operations of a history return, as places
	// of their calls, or releases, in the history; none where it was not found. Operations that have
	// not returned may stand in it.
	Order(history []Observation) []int
}

// An Explainer is the monitor of a goal that says in words what it waits for.
type Explainer interface {
	// Misses lists what is missing where the goal is not reached, in clauses that name nodes: "p2
	// has not delivered message 1 of p1".
	Misses(name func(NodeID) string) []string
}
