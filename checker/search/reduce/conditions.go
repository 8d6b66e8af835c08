// Package reduce lists the reductions and the conditions under which each keeps the verdicts of a search. It
// performs no reduction itself.
package reduce

// Conditions are what the validity of reductions depends on: the time model, the claims and the channels. Of
// the faults only partitions and restarts matter: every other fault is either allowed by each reduction or
// refused by the time model.
type Conditions struct {
	Timed      bool // parts have windows: on the grid, or in dense time
	Dense      bool // dense time
	Eventually bool // a claim is about all fair runs
	Coins      bool // a claim is about probability
	Causal     bool // a monitor reads causal pasts, or the lengths of chains of messages
	Sends      bool // a meter counts the messages that are sent
	Fifo       bool // channels keep the order of messages
	Set        bool // channels merge equal messages
	OwnWindows bool // messages of one channel may have different windows
	Parted     bool // the network may be partitioned
	Restarts   bool // nodes may crash and restart
	Foreign    bool // a node's state is an opaque object
}

// WithoutClaims returns the conditions of a search of the same system for claims that bar nothing.
func (c Conditions) WithoutClaims() Conditions {
	c.Eventually, c.Coins, c.Causal = false, false, false
	return c
}

// A Reduction omits states or steps and keeps every verdict under its conditions. Its statement and proof are
// in docs/proofs/search.md, under its name.
type Reduction struct {
	Name string // its heading
	// Barred returns the reason why the reduction may not be used, or "" if it may.
	Barred func(c Conditions) string
}

// Why reductions may not be used.
const (
	owed     = "fairness may require the step that it removes"
	tossed   = "it may remove a position of the game against chance"
	learns   = "a delivery that does not change a node still extends its causal past"
	names    = "a causal past contains node ids"
	sides    = "a partition contains node ids"
	unseen   = "which node ids a foreign object contains is unknown"
	queued   = "a message waits for those before it in its channel, and their windows differ"
	sentAnew = "a message sent again to a node that is down keeps the window of the first one"
	counted  = "the answers that it omits are counted"
	inTime   = "the answer must arrive within its window"
	onlyReal = "only states in dense time have zones"
	aged     = "in dense time, equal events may have different ages"
)

// The reductions. Only these predicates decide when one may be used. Symmetry and absorption also check during
// the search what cannot be known before it.
var (
	// ServerSymmetry and ClientSymmetry need claims that renaming nodes does not change.
	ServerSymmetry = Reduction{"Server symmetry", barsSymmetry}
	ClientSymmetry = Reduction{"Client symmetry", barsSymmetry}

	// StaleAbsorption deletes a message whose delivery would have no effect, now or later. The
	// message must be deliverable at any time in its window. The order of its channel does not
	// prevent that if all messages of the channel have one window. On a set, an equal message sent
	// later would be merged into the deleted one; the search sees only the later one and deletes it
	// too, unless the receiver is down.
	StaleAbsorption = Reduction{"Stale absorption", barsAbsorption}

	// EchoAbsorption deletes a message whose answers are all stale.
	EchoAbsorption = Reduction{"Echo absorption", func(c Conditions) string {
		switch {
		case c.Timed:
			return inTime
		case c.Sends:
			return counted
		}
		return barsAbsorption(c)
	}}

	// Inclusion drops a class that another contains; ConvexMerging replaces several classes by
	// one if their union is convex. Both keep the set of reachable points, and dense time decides
	// only claims about it.
	Inclusion     = Reduction{"Inclusion", barsZones}
	ConvexMerging = Reduction{"Convex merging", barsZones}

	// SettledHolds forgets a hold once it is over.
	SettledHolds = Reduction{"Settled holds", barsZones}

	// EqualEvents fires only one of several equal events.
	EqualEvents = Reduction{"Equal events", func(c Conditions) string {
		if c.Dense {
			return aged
		}
		return ""
	}}
)

// barsLiveness returns the reason if a claim is about infinite runs.
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

// Uses are the reductions that a search uses: those requested that its conditions allow.
type Uses struct {
	Servers, Clients   bool // symmetry of servers, of clients
	Stale, Echoes      bool // absorption of stale messages, of echoes
	Inclusion, Merging bool // of state classes
	Settles, Equals    bool // settled holds, equal events
}
