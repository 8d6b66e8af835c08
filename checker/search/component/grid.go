package component

import "contend/model"

// A Refinement configures how the grid treats clock constraints. Closing, the first reading, closes every
// strict bound: at exactly d a hold of length d may last or be over. Every real run is a run of this reading,
// so a claim that holds here holds of all real runs. A run that breaks a claim, or a witness, may be spurious.
// Exact readings on finer and finer grids then search for a real run. All their runs are real. A real run with
// closed bounds exists on the coarsest grid; between open bounds, a real run may need a finer grid than any of
// Finer.
type Refinement struct {
	Exact bool  // strict bounds stay strict
	Parts int32 // grid steps a tick
}

// Closing is the first reading, with one grid step a tick.
var Closing = Refinement{Parts: 1}

// ExactGrid returns the exact reading with a number of grid steps a tick.
func ExactGrid(parts int32) Refinement { return Refinement{true, parts} }

// Finer lists the exact readings in the order of use.
var Finer = []Refinement{ExactGrid(1), ExactGrid(2), ExactGrid(4)}

// Closer lists the finer closing readings. Possibility claims use them, since an exact grid omits real
// successors.
var Closer = []Refinement{{Parts: 2}, {Parts: 4}}

// Closing reports whether the search closes strict bounds.
func (st *Store) Closing() bool { return st.Timed && !st.Dense && !st.Refine.Exact }

// ticks returns a bound in grid steps. In an exact reading an open bound moves by inward: +1 for a lower bound,
// −1 for an upper bound.
func (r Refinement) ticks(b model.Bound, inward int32) int32 {
	t := int32(b.At) * r.Parts
	if r.Exact && b.Open {
		t += inward
	}
	return t
}

// A Strictness records the strict bounds that a search has met.
type Strictness struct {
	Windows bool                // a window with an open bound was created
	Spread  bool                // a window of more than one instant was created, without a coin
	Holds   map[uint32]holdEnds // by base
}

// A holdEnds records how holds of one base end: at the end of a closed hold it lasts, at the end of an open
// hold it is over.
type holdEnds struct{ Closed, Open bool }

// Any reports whether a strict bound was met.
func (s *Strictness) Any() bool { return s.Windows || len(s.Holds) > 0 }

// window records a new window.
func (s *Strictness) window(w model.Window) {
	s.Windows = s.Windows || w.Lo.Open || w.Hi.Open && w.Hi.At != model.Forever
	s.Spread = s.Spread || w.Lo.At != w.Hi.At
}

// hold records a new hold.
func (s *Strictness) hold(base uint32, d model.Bound) {
	if s.Holds == nil {
		s.Holds = map[uint32]holdEnds{}
	}
	e := s.Holds[base]
	s.Holds[base] = holdEnds{e.Closed || !d.Open, e.Open || d.Open}
}
