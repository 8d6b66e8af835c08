package search

import (
	"fmt"

	"contend/checker/search/decide"
	"contend/model"
)

// A refinement says how the grid reads bounds. The first reading closes every
// strict bound: at exactly d a hold of length d both lasts and is over. Every real
// run is among its runs, so what holds of all of them holds; but some of its runs are not
// real. Where such a run breaks a claim, or is a witness, exact readings on finer and finer
// grids look for a real one: their runs all are, and every real run of closed bounds is
// on the coarsest, but between open bounds a run may need a finer grid than any.
type refinement struct {
	exact bool
	parts int32 // of a tick
}

var closing = refinement{parts: 1}

func exactGrid(parts int32) refinement { return refinement{true, parts} }

// finer are the exact readings, in the order in which they are tried.
var finer = []refinement{exactGrid(1), exactGrid(2), exactGrid(4)}

// closer are finer closing readings. An exact one says nothing of what is possible: it
// leaves out what could follow.
var closer = []refinement{{parts: 2}, {parts: 4}}

// closing reports whether the search closes strict bounds.
func (st *store) closing() bool { return st.timed && !st.dense && !st.refine.exact }

// ticks returns a bound in steps of the grid. Read exactly, an open bound moves one
// step inward: +1 for a lower bound, −1 for an upper one.
func (r refinement) ticks(b model.Bound, inward int32) int32 {
	t := int32(b.At) * r.parts
	if r.exact && b.Open {
		t += inward
	}
	return t
}

// strictness is what a search has met of strict bounds.
type strictness struct {
	windows bool             // one with an open end was created
	holds   map[uint32]ended // by base
}

// ended says at which end a hold was ever created: a closed one is not over there, an open
// one does not last.
type ended struct{ closed, open bool }

func (s *strictness) any() bool { return s.windows || len(s.holds) > 0 }

// window notes that a window was created.
func (s *strictness) window(w model.Window) {
	s.windows = s.windows || w.Lo.Open || w.Hi.Open && w.Hi.At != model.Forever
}

// hold notes that a hold was created.
func (s *strictness) hold(base uint32, d model.Bound) {
	if s.holds == nil {
		s.holds = map[uint32]ended{}
	}
	e := s.holds[base]
	s.holds[base] = ended{e.closed || !d.Open, e.open || d.Open}
}

// closes reports whether the step that is being taken rests on an answer of Held that only
// closing allows: at exactly the end of a closed hold that it is over, of an open one
// that it lasts.
func (w *worker) closes() bool {
	if !w.closing() {
		return false
	}
	for _, p := range w.move.picks {
		if e := w.strict.holds[p.held]; p.held == 0 || p.lasts() && !e.open || !p.lasts() && !e.closed {
			continue
		}
		for _, id := range w.clock[w.head:] {
			if f := &w.flats[id]; f.base == p.held && f.hi == 0 {
				return true
			}
		}
	}
	return false
}

// refineStates bounds each search on another grid: such a search can only settle
// a verdict that is inconclusive otherwise.
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

// searchAgain searches for one claim in another reading of bounds; nil if the search and
// the interpreter disagree.
func (x *explorer) searchAgain(claim int, r refinement) *Result {
	opt := x.opt
	opt.Checkpoint = "" // these searches are short
	if opt.MaxStates == 0 || opt.MaxStates > refineStates {
		opt.MaxStates = refineStates
	}
	opt.Confirm = x.confirmAlone(claim)
	found, err := searchWith(x.sys, x.codec, x.claims[claim:claim+1], opt, r)
	if err != nil {
		x.dispute(claim, err)
		return nil
	}
	if found.Disputed[0] != "" {
		x.res.Disputed[claim] = found.Disputed[0]
		return nil
	}
	return found
}

// refineClaim looks on other grids for what settles a claim that so far only closed bounds
// broke, or reached.
func (x *explorer) refineClaim(claim int) {
	if _, known := x.res.Violated[claim]; known || x.res.Reached[claim] || x.refine != closing || x.res.Disputed[claim] != "" {
		return
	}
	grid, readings := "an exact grid", finer
	if x.claims[claim].Kind == model.PossibleFromEverywhere {
		grid, readings = "a closing grid", closer
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
				how = "not complete: " + found.Limit
			}
			x.res.Notes = append(x.res.Notes, fmt.Sprintf("%s: nothing settles it on %s with %d steps a tick; %d states, %s",
				x.claims[claim].Name, grid, r.parts, found.States, how))
			continue
		}
		x.res.Notes = append(x.res.Notes, fmt.Sprintf("%s: %s on %s with %d steps a tick, after %d states",
			x.claims[claim].Name, became, grid, r.parts, found.States))
		return
	}
}

// settled takes over what another reading says of a claim, if it says something.
func (x *explorer) settled(claim int, found *Result) string {
	c, broken := found.Violated[0]
	undecided := found.Undecided[0]
	switch {
	case broken:
		c.Claim = claim
		x.res.Violated[claim] = c
		delete(x.res.Undecided, claim)
		return "broken"
	case found.Reached[0]:
		x.res.Reached[claim], x.res.Witnessed[claim] = true, true
		return "reached"
	case x.claims[claim].Kind == model.PossibleFromEverywhere && found.Complete && found.Spurious[0] == 0 && undecided == "":
		delete(x.res.Undecided, claim)
		delete(x.res.Spurious, claim)
		return "holds"
	case undecided == decide.Cut:
		x.res.Undecided[claim] = decide.Cut
	}
	return ""
}
