package search

import (
	"slices"

	"contend/model"
)

// conditions are what it depends on whether a reduction keeps the verdicts: how a search
// reads time, what its claims speak of, how channels keep messages. No fault is among them:
// what the environment does every reduction allows for, or the reading does not.
type conditions struct {
	timed      bool // windows are kept: on the grid, or in dense time
	dense      bool
	eventually bool // a claim speaks of what happens at last in every fair run
	coins      bool // are tossed: a claim speaks of probability
	causal     bool // a monitor is given causal pasts
	fifo       bool
	ownWindows bool // messages of one channel have windows of their own
}

// conditions are those of a search. A claim of probability tosses coins only where time is
// not dense.
func (st *store) conditions() conditions {
	is := func(kind model.Kind) bool {
		return slices.ContainsFunc(st.claims, func(c model.Claim) bool { return c.Kind == kind })
	}
	return conditions{
		timed: st.timed, dense: st.dense, eventually: is(model.Eventually), coins: st.coins.tossed,
		causal: slices.ContainsFunc(st.claims, func(c model.Claim) bool { return c.Causal != nil }),
		fifo:   st.sys.Network.Channel == model.FIFO, ownWindows: st.sys.Network.Messages != nil,
	}
}

// A reduction is a way to search less that keeps every verdict under conditions. Its
// statement and its proof are in docs/proofs/search.md, under a heading that is its name.
type reduction struct {
	name string
	// barred says in a sentence why the reduction may not be used, or is empty.
	barred func(c conditions) string
}

// Why reductions may not be used.
const (
	owed     = "it could take away the step that fairness owes"
	tossed   = "it could take away a position of the game against chance"
	learns   = "a delivery that does nothing to a node still adds to its causal past"
	names    = "a causal past numbers the nodes"
	queued   = "on FIFO what stands behind a message waits for it, and windows differ"
	inTime   = "the answer has to arrive in time"
	onlyReal = "only in dense time have states zones"
	aged     = "in dense time equal events may differ in age"
)

// The reductions. Nothing but these predicates says when one may be used; beyond them
// symmetry and absorption check, as they go, what cannot be known beforehand.
var (
	// serverSymmetry and clientSymmetry need claims that no renaming changes.
	serverSymmetry = reduction{"Server symmetry", barsSymmetry}
	clientSymmetry = reduction{"Client symmetry", barsSymmetry}

	// staleAbsorption deletes a message whose delivery would do nothing, now and later. It
	// could be delivered at any time in its window, unless its channel's order forbids: where
	// all messages of a channel have one window, it never does.
	staleAbsorption = reduction{"Stale absorption", barsAbsorption}

	// echoAbsorption deletes a message that is answered with stale ones alone.
	echoAbsorption = reduction{"Echo absorption", func(c conditions) string {
		if c.timed {
			return inTime
		}
		return barsAbsorption(c)
	}}

	// inclusion leaves out a class that another contains; convexMerging makes one of classes
	// whose union is convex. They keep what is reached: in dense time nothing else is decided.
	inclusion     = reduction{"Inclusion", barsZones}
	convexMerging = reduction{"Convex merging", barsZones}

	// settledHolds forgets a hold once it is over.
	settledHolds = reduction{"Settled holds", barsZones}

	// equalEvents takes only one of events that are equal.
	equalEvents = reduction{"Equal events", func(c conditions) string {
		if c.dense {
			return aged
		}
		return ""
	}}
)

// barsLiveness says why nothing may be reduced that claims of infinite runs rest on.
func barsLiveness(c conditions) string {
	switch {
	case c.eventually:
		return owed
	case c.coins:
		return tossed
	}
	return ""
}

func barsSymmetry(c conditions) string {
	if c.causal {
		return names
	}
	return barsLiveness(c)
}

func barsAbsorption(c conditions) string {
	switch {
	case c.causal:
		return learns
	case c.timed && c.fifo && c.ownWindows:
		return queued
	}
	return barsLiveness(c)
}

func barsZones(c conditions) string {
	if !c.dense {
		return onlyReal
	}
	return ""
}

// in reports whether a reduction may be used under conditions.
func (r reduction) in(c conditions) bool { return r.barred(c) == "" }

// uses are the reductions that a search uses.
type uses struct {
	servers, clients   bool
	stale, echoes      bool
	inclusion, merging bool
	settles, equals    bool
}

// uses are those that are asked for and may be used, but for groups that were found not to be
// interchangeable.
func (o *Options) uses(c conditions, unlike map[string]bool) uses {
	return uses{
		servers: o.Symmetry && serverSymmetry.in(c) && !unlike[servers],
		clients: o.Clients && clientSymmetry.in(c) && !unlike[clients],
		stale:   o.Stale && staleAbsorption.in(c), echoes: o.Stale && echoAbsorption.in(c),
		inclusion: o.Merge && inclusion.in(c), merging: o.Merge && convexMerging.in(c),
		settles: settledHolds.in(c), equals: equalEvents.in(c),
	}
}
