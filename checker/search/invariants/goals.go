package invariants

import (
	"fmt"
	"slices"

	"contend/checker/search/step"
	"contend/model"
	"contend/model/guard"
)

// A Goal is what a claim wants to be reached, with its verdict on each monitor state.
type Goal struct {
	Claim   int // by place
	monitor int // -1 for a Done claim
	known   map[uint32]bool
}

// GoalsOf lists the goals of claims.
func GoalsOf(claims []model.Claim) []Goal {
	var goals []Goal
	monitor := 0
	for i, c := range claims {
		g := Goal{Claim: i, monitor: monitor, known: map[uint32]bool{}}
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
	return a.met(g, v[a.MonitorAt+g.monitor])
}

// met reports whether the goal's monitor says that it is reached.
func (a *Asker) met(g Goal, id uint32) bool {
	r, ok := g.known[id]
	if ok {
		return r
	}
	var m any
	a.Ask(func() { m = a.Codec.DecodeNode(a.Protos[a.N+g.monitor], []byte(a.Locals.Items[id].Bytes)) })
	r = guard.Reached(a.claims[g.Claim].Name, m.(model.Goal))
	g.known[id] = r
	if a.groups != nil {
		for _, swap := range a.groups.Swaps {
			var renamed uint32
			a.Ask(func() { renamed = a.groups.Local(id, swap.Perm) })
			there := false
			why := step.FailureOf(func() { there = a.met(g, renamed) })
			a.refuseUnlike(swap, fmt.Sprintf("the goal %T", m), why, there == r)
		}
	}
	return r
}

// Totals are the numbers of a meter's state. Renaming must not change them.
func (a *Asker) Totals(monitor int, local uint32) (all []int) {
	a.Ask(func() { all = a.decodedTotals(monitor, local) })
	if a.groups == nil {
		return all
	}
	for _, swap := range a.groups.Swaps {
		var there []int
		a.Ask(func() { there = a.decodedTotals(monitor, a.groups.Local(local, swap.Perm)) })
		a.refuseUnlike(swap, "the total of "+a.claims[a.monitors[monitor]].Name, "", slices.Equal(there, all))
	}
	return all
}

func (a *Asker) decodedTotals(monitor int, local uint32) []int {
	m := a.Codec.DecodeNode(a.Protos[a.N+monitor], []byte(a.Locals.Items[local].Bytes))
	return guard.Totals(a.claims[a.monitors[monitor]].Name, m.(model.Monitor))
}
