package search

import (
	"slices"

	"contend/model"
)

// conditions are those of a search. A claim of probability tosses coins only where time is
// not dense.
func conditionsOf(st *store) conditions {
	is := func(kind model.Kind) bool {
		return slices.ContainsFunc(st.claims, func(c model.Claim) bool { return c.Kind == kind })
	}
	return conditions{
		timed: st.timed, dense: st.dense, eventually: is(model.Eventually), coins: st.coins.tossed,
		causal: slices.ContainsFunc(st.claims, func(c model.Claim) bool { return c.Causal != nil }),
		fifo:   st.sys.Network.Channel == model.FIFO, ownWindows: st.sys.Network.Messages != nil,
	}
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
