// Package reduce says by name which reductions there are, and under which conditions each
// keeps the verdicts of a search. It reduces nothing itself.
package reduce

// Conditions are what it depends on whether a reduction keeps the verdicts: how a search
// reads time, what its claims speak of, how channels keep messages. Of faults only partitions and restarts are
// among them: what else the environment does every reduction allows for, or the reading does not.
type Conditions struct {
	Timed      bool // windows are kept: on the grid, or in dense time
	Dense      bool // time is real
	Eventually bool // a claim speaks of what happens at last in every fair run
	Coins      bool // are tossed: a claim speaks of probability
	Causal     bool // a monitor is given causal pasts, or chains of messages
	Sends      bool // a meter is told of each message that is sent
	Fifo       bool // channels keep their order
	Set        bool // channels coalesce equal messages
	OwnWindows bool // messages of one channel have windows of their own
	Parted     bool // the network may be cut in two
	Restarts   bool // nodes may crash and come back
	Foreign    bool // the state of a node is an object's, of which only the name is known
}

// A Reduction is a way to search less that keeps every verdict under conditions. Its
// statement and its proof are in docs/proofs/search.md, under a heading that is its name.
type Reduction struct {
	Name string // its heading
	// Barred says in a sentence why the reduction may not be used, or is empty.
	Barred func(c Conditions) string
}

// Why reductions may not be used.
const (
	owed     = "it could take away the step that fairness owes"
	tossed   = "it could take away a position of the game against chance"
	learns   = "a delivery that does nothing to a node still adds to its causal past"
	names    = "a causal past numbers the nodes"
	sides    = "a cut of the network lists the nodes of a side"
	unseen   = "which nodes a foreign object names cannot be seen"
	queued   = "on FIFO what stands behind a message waits for it, and windows differ"
	sentAnew = "on a set what is sent anew to a node that is down has the window of the first"
	counted  = "the answers that it leaves out are counted"
	inTime   = "the answer has to arrive in time"
	onlyReal = "only in dense time have states zones"
	aged     = "in dense time equal events may differ in age"
)

// The reductions. Nothing but these predicates says when one may be used; beyond them
// symmetry and absorption check, as they go, what cannot be known beforehand.
var (
	// ServerSymmetry and ClientSymmetry need claims that no renaming changes.
	ServerSymmetry = Reduction{"Server symmetry", barsSymmetry}
	ClientSymmetry = Reduction{"Client symmetry", barsSymmetry}

	// StaleAbsorption deletes a message whose delivery would do nothing, now and later. It
	// could be delivered at any time in its window, unless its channel's order forbids: where
	// all messages of a channel have one window, it never does. On a set an equal message that is
	// sent later would be merged into it; the search, which has only the second, deletes that as
	// well, unless the receiver is down.
	StaleAbsorption = Reduction{"Stale absorption", barsAbsorption}

	// EchoAbsorption deletes a message that is answered with stale ones alone.
	EchoAbsorption = Reduction{"Echo absorption", func(c Conditions) string {
		switch {
		case c.Timed:
			return inTime
		case c.Sends:
			return counted
		}
		return barsAbsorption(c)
	}}

	// Inclusion leaves out a class that another contains; ConvexMerging makes one of classes
	// whose union is convex. They keep what is reached: in dense time nothing else is decided.
	Inclusion     = Reduction{"Inclusion", barsZones}
	ConvexMerging = Reduction{"Convex merging", barsZones}

	// SettledHolds forgets a hold once it is over.
	SettledHolds = Reduction{"Settled holds", barsZones}

	// EqualEvents takes only one of events that are equal.
	EqualEvents = Reduction{"Equal events", func(c Conditions) string {
		if c.Dense {
			return aged
		}
		return ""
	}}
)

// barsLiveness says why nothing may be reduced that claims of infinite runs rest on.
func barsLiveness(c Conditions) string {
	switch {
	case c.Eventually:
		return owed
	case c.Coins:
		return tossed
	}
	return ""
}

func barsSymmetry(c Conditions) string {
	switch {
	case c.Causal:
		return names
	case c.Parted:
		return sides
	case c.Foreign:
		return unseen
	}
	return barsLiveness(c)
}

func barsAbsorption(c Conditions) string {
	switch {
	case c.Causal:
		return learns
	case c.Timed && c.Fifo && c.OwnWindows:
		return queued
	case c.Timed && c.Set && c.Restarts:
		return sentAnew
	}
	return barsLiveness(c)
}

func barsZones(c Conditions) string {
	if !c.Dense {
		return onlyReal
	}
	return ""
}

// In reports whether a reduction may be used under conditions.
func (r Reduction) In(c Conditions) bool { return r.Barred(c) == "" }

// Uses are the reductions that a search uses: those that it was asked for and that its
// conditions allow.
type Uses struct {
	Servers, Clients   bool // symmetry of the one, of the other
	Stale, Echoes      bool // absorption of the one, of the other
	Inclusion, Merging bool // of state classes
	Settles, Equals    bool // settled holds, equal events
}
