package search

import (
	"fmt"

	"contend/checker/search/component"
	"contend/checker/search/decide"
	"contend/model"
)

// refineStates bounds each search on another grid. Such a search can only settle a verdict that is otherwise
// inconclusive.
var refineStates int64 = 4_000_000

// confirmAlone returns the Confirm of a search for one of the claims alone.
func (x *explorer) confirmAlone(claim int) func(Candidate) (Confirmation, error) {
	return func(c Candidate) (Confirmation, error) {
		if c.Claim != 0 {
			return Unknown, nil // failed handlers are for the search for all claims
		}
		c.Claim, c.Alone = claim, true
		return x.opt.Confirm(c)
	}
}

// searchAgain searches for one claim with another reading of bounds. It returns nil if the search and the
// interpreter disagree.
func (x *explorer) searchAgain(claim int, r component.Refinement) *Result {
	opt := x.opt
	opt.Checkpoint, opt.Draw, opt.Violated = "", false, nil // these searches are short, and not drawn
	if opt.MaxStates == 0 || opt.MaxStates > refineStates {
		opt.MaxStates = refineStates
	}
	opt.Confirm = x.confirmAlone(claim)
	found, err := searchWith(x.Sys, x.Codec, x.claims[claim:claim+1], opt.withDefaults(), r)
	if err != nil {
		x.dispute(claim, err)
		return nil
	}
	if how := found.Claims[0].Disputed; how != "" {
		x.res.Claims[claim].Disputed = how
		return nil
	}
	return found
}

// refineClaim searches on other grids for a claim that only closed bounds violate or reach.
func (x *explorer) refineClaim(claim int) {
	if x.res.Claims[claim].settled() || claim == x.failing() || x.Refine != component.Closing {
		return
	}
	grid, readings := "an exact grid", component.Finer
	if x.claims[claim].Kind == model.PossibleFromEverywhere {
		grid, readings = "a closing grid", component.Closer
	}
	for _, r := range readings {
		found := x.searchAgain(claim, r)
		if found == nil {
			return
		}
		became := x.settled(claim, found)
		if became == "" {
			how := "complete"
			if !found.Complete {
				how = "not complete: " + found.Limit.String()
			}
			x.res.Notes = append(x.res.Notes, fmt.Sprintf("%s: nothing settles it on %s with %d steps a tick; %d states, %s",
				x.claims[claim].Name, grid, r.Parts, found.States, how))
			continue
		}
		x.res.Notes = append(x.res.Notes, fmt.Sprintf("%s: %s on %s with %d steps a tick, after %d states",
			x.claims[claim].Name, became, grid, r.Parts, found.States))
		return
	}
}

// settled takes over the outcome of a claim in another reading, if it has one.
func (x *explorer) settled(claim int, found *Result) string {
	o, is := &x.res.Claims[claim], &found.Claims[0]
	switch {
	case is.Violated != nil:
		o.violate(is.Violated.of(claim))
		return "broken"
	case is.Reached:
		o.Reached, o.Witnessed = true, true
		return "reached"
	case x.claims[claim].Kind == model.PossibleFromEverywhere && found.Complete && is.Spurious == 0 && is.Limit.None():
		o.Limit, o.Spurious = decide.Limit{}, 0
		return "holds"
	case is.Limit.Code == decide.Cut:
		o.Limit = is.Limit
	}
	return ""
}
