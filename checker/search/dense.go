package search

import (
	"fmt"

	"contend/model"
)

// search goes through the state classes layer by layer.
func (c *classes) search() *Result {
	x := c.x
	first := x.workers[0]
	first.rooted = true
	first.initial()
	first.rooted, first.transitions = false, 0 // it takes no step to be there
	for {
		c.gather()
		if !c.goesOn() {
			break
		}
		c.expand()
	}
	if !x.refused.any() {
		x.finishUp()
	}
	return x.res
}

// goesOn settles what was found in a layer; false when there is no next.
func (c *classes) goesOn() bool {
	x := c.x
	candidates := x.collect()
	if x.refused.any() {
		return false
	}
	for _, candidate := range candidates {
		x.confirm(candidate)
	}
	x.keepFinals()
	if !x.goesOn() {
		return false
	}
	x.layer.States = int64(len(c.layer))
	if len(c.layer) == 0 {
		x.res.Complete = true
		return false
	}
	x.res.Widths = append(x.res.Widths, int64(len(c.layer)))
	x.res.Depth = len(x.res.Widths) - 1
	return true
}

// finish says what there is to say of a search in dense time.
func (c *classes) finish() {
	x := c.x
	r := x.res
	r.Bytes = c.size
	r.Omission = omission(int64(len(c.states)), r.Transitions, true) * x.crowding()
	if !c.merges[0].off {
		r.Reductions = append(r.Reductions, "convex merging")
	}
	r.Notes = append(r.Notes, fmt.Sprintf("dense time: %d classes of %d states without their times", len(c.list), len(c.states)))
	for i, claim := range x.claims {
		if claim.Kind == model.Eventually || claim.Kind == model.PossibleFromEverywhere || claim.Kind == model.AlmostSurely {
			r.Undecided[i] = "dense time"
		}
	}
}
