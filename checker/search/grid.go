package search

import "contend/model"

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
