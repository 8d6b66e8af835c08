package invariants

import (
	"fmt"
	"slices"

	"contend/checker/search/step"
	"contend/model"
	"contend/model/guard"
)

// A Goal is a claim's goal, with a memo of its value for each monitor state.
type Goal struct {
	Claim   int // index of the claim
	monitor int // -1 for a Done claim
	memo    map[uint32]bool
}

// GoalsOf returns the goals of claims.
func GoalsOf(claims []model.Claim) []Goal {
	var goals []Goal
	monitor := 0
	for i, c := range claims {
		g := Goal{Claim: i, monitor: monitor, memo: map[uint32]bool{}}
		if c.Monitor != nil {
			monitor++
		} else {
			g.monitor = -1
		}
		if c.Done || c.Monitor != nil {
			goals = append(goals, g)
		}
	}
	return goals
}

// In reports whether a goal is reached in a state.
func (a *Asker) In(g Goal, v []uint32) bool {
	if g.monitor < 0 {
		return a.Done(v)
	}
	return a.reached(g, v[a.MonitorAt+g.monitor])
}

// reached reports whether a goal is reached in a state of its monitor. Under symmetry it compares the answer
// with the answers for renamed states.
func (a *Asker) reached(g Goal, id uint32) bool {
	r, ok := g.memo[id]
	if ok {
		return r
	}
	var m any
	a.Ask(func() { m = a.Codec.DecodeNode(a.Protos[a.N+g.monitor], []byte(a.Store.Locals.Items[id].Bytes)) })
	r = guard.Reached(a.claims[g.Claim].Name, m.(model.Goal))
	g.memo[id] = r
	if a.orbits != nil {
		for _, swap := range a.orbits.Groups.Swaps {
			var renamed uint32
			a.Ask(func() { renamed = a.orbits.Groups.Local(id, swap.Perm) })
			there := false
			why := step.FailureOf(func() { there = a.reached(g, renamed) })
			a.refuseUnlike(swap, fmt.Sprintf("the goal %T", m), why, there == r)
		}
	}
	return r
}

// Totals returns the numbers of a meter's state. Under symmetry renaming must not change them.
func (a *Asker) Totals(monitor int, local uint32) (all []int) {
	a.Ask(func() { all = a.decodedTotals(monitor, local) })
	if a.orbits == nil {
		return all
	}
	for _, swap := range a.orbits.Groups.Swaps {
		var there []int
		a.Ask(func() { there = a.decodedTotals(monitor, a.orbits.Groups.Local(local, swap.Perm)) })
		a.refuseUnlike(swap, "the total of "+a.claims[a.monitors[monitor]].Name, "", slices.Equal(there, all))
	}
	return all
}

func (a *Asker) decodedTotals(monitor int, local uint32) []int {
	m := a.Codec.DecodeNode(a.Protos[a.N+monitor], []byte(a.Store.Locals.Items[local].Bytes))
	return guard.Totals(a.claims[a.monitors[monitor]].Name, m.(model.Monitor))
}
