package component

import "contend/model"

// A Refinement says how the grid reads bounds. The first reading closes every
// strict bound: at exactly d a hold of length d both lasts and is over. Every real
// run is among its runs, so what holds of all of them holds; but some of its runs are not
// real. Where such a run breaks a claim, or is a witness, exact readings on finer and finer
// grids look for a real one: their runs all are, and every real run of closed bounds is
// on the coarsest, but between open bounds a run may need a finer grid than any.
type Refinement struct {
	Exact bool  // says that strict bounds stay strict
	Parts int32 // of a tick
}

// Closing is the first reading, by whole ticks.
var Closing = Refinement{Parts: 1}

// ExactGrid is the exact reading on a grid with that many parts to the tick.
func ExactGrid(parts int32) Refinement { return Refinement{true, parts} }

// Finer are the exact readings, in the order in which they are tried.
var Finer = []Refinement{ExactGrid(1), ExactGrid(2), ExactGrid(4)}

// Closer are finer closing readings. An exact one says nothing of what is possible: it
// leaves out what could follow.
var Closer = []Refinement{{Parts: 2}, {Parts: 4}}

// Closing reports whether the search closes strict bounds.
func (st *Store) Closing() bool { return st.Timed && !st.Dense && !st.Refine.Exact }

// ticks returns a bound in steps of the grid. Read exactly, an open bound moves one
// step inward: +1 for a lower bound, −1 for an upper one.
func (r Refinement) ticks(b model.Bound, inward int32) int32 {
	t := int32(b.At) * r.Parts
	if r.Exact && b.Open {
		t += inward
	}
	return t
}

// Strictness is what a search has met of strict bounds.
type Strictness struct {
	Windows bool             // one with an open end was created
	Spread  bool             // a window with more than one instant was created, and no coin draws it
	Holds   map[uint32]ended // by base
}

// ended says at which end a hold was ever created: a closed one is not over there, an open
// one does not last.
type ended struct{ Closed, Open bool }

// Any reports whether a strict bound was met.
func (s *Strictness) Any() bool { return s.Windows || len(s.Holds) > 0 }

// window notes that a window was created.
func (s *Strictness) window(w model.Window) {
	s.Windows = s.Windows || w.Lo.Open || w.Hi.Open && w.Hi.At != model.Forever
	s.Spread = s.Spread || w.Lo.At != w.Hi.At
}

// hold notes that a hold was created.
func (s *Strictness) hold(base uint32, d model.Bound) {
	if s.Holds == nil {
		s.Holds = map[uint32]ended{}
	}
	e := s.Holds[base]
	s.Holds[base] = ended{e.Closed || !d.Open, e.Open || d.Open}
}
