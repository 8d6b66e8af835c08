package search

import (
	"fmt"

	"contend/model"
)

// A refinement says how the grid reads bounds. The first reading closes every
// strict bound: at exactly d a hold of length d both lasts and is over. Every real
// run is among its runs, so what holds there holds; but some of its runs are not
// real. Where such a run breaks a claim, exact readings on finer and finer grids
// look for a real one: their runs all are, and every real run of closed bounds is
// on the coarsest, but between open bounds a run may need a finer grid than any.
type refinement struct {
	exact bool
	parts int32 // of a tick
}

var closing = refinement{parts: 1}

// finer are the exact readings, in the order in which they are tried.
var finer = []refinement{{true, 1}, {true, 2}, {true, 4}}

// ticks returns a bound in steps of the grid. Read exactly, an open bound moves one
// step inward: +1 for a lower bound, −1 for an upper one.
func (r refinement) ticks(b model.Bound, inward int32) int32 {
	t := int32(b.At) * r.parts
	if r.exact && b.Open {
		t += inward
	}
	return t
}

// refineStates bounds each search on an exact grid: such a search can only add a
// violation to a verdict that is inconclusive otherwise.
const refineStates = 4_000_000

// confirmAlone confirms what a search for one of the claims alone finds; nil if nothing is
// to be confirmed.
func (x *explorer) confirmAlone(claim int) func(Candidate) (Confirmation, error) {
	if x.opt.Confirm == nil {
		return nil
	}
	return func(c Candidate) (Confirmation, error) {
		c.Claim, c.Alone = claim, true
		return x.opt.Confirm(c)
	}
}

// refineClaim looks on exact grids for a real run that breaks a claim which so far
// only closed bounds broke.
func (x *explorer) refineClaim(claim int) {
	if _, known := x.res.Violated[claim]; known || x.refine.exact || x.res.Disputed[claim] != "" {
		return
	}
	opt := x.opt
	opt.Checkpoint = "" // these searches are short
	if opt.MaxStates == 0 || opt.MaxStates > refineStates {
		opt.MaxStates = refineStates
	}
	opt.Confirm = x.confirmAlone(claim)
	for _, r := range finer {
		found, err := searchWith(x.sys, x.codec, x.claims[claim:claim+1], opt, r)
		if err != nil {
			x.dispute(claim, err)
			return
		}
		if found.Disputed[0] != "" {
			x.res.Disputed[claim] = found.Disputed[0]
			return
		}
		if c, ok := found.Violated[0]; ok {
			c.Claim = claim
			x.res.Violated[claim] = c
			x.res.Notes = append(x.res.Notes, fmt.Sprintf("%s: broken on an exact grid with %d steps a tick, after %d states",
				x.claims[claim].Name, r.parts, found.States))
			return
		}
		how := "complete"
		if !found.Complete {
			how = "not complete: " + found.Limit
		}
		x.res.Notes = append(x.res.Notes, fmt.Sprintf("%s: no run breaks it on an exact grid with %d steps a tick; %d states, %s",
			x.claims[claim].Name, r.parts, found.States, how))
	}
}
