package sample

import (
	"contend/checker/sample/stepper"
	"contend/model"
	"contend/model/world"
)

// pace is how a run spends time: of eight steps, so many are taken at the earliest
// instant possible and so many at the latest; the others at one in between.
type pace struct{ earliest, latest int }

// A run that is always early comes first; it is the default.
var paces = [...]pace{{8, 0}, {6, 1}, {5, 2}, {3, 3}, {3, 1}, {1, 1}}

// horizon is where a draw from an unbounded window ends, in multiples of the
// longest finite time seen in the run.
const horizon = 3

// instant chooses when a move is taken.
func (r *run) instant(m stepper.Move) world.Time {
	if !r.bounds.World.Timed {
		return r.Now()
	}
	lo, hi := r.Span(m)
	hi = min(hi, lo+world.Time(horizon*int64(max(r.longest, r.Longest()))*max(r.bounds.World.Parts, 1)))
	if lo >= hi {
		return lo
	}
	switch p, roll := r.haste(m), r.c.Choose(8); {
	case roll < p.earliest:
		return lo
	case roll < p.earliest+p.latest:
		return hi
	}
	return r.between(lo, hi)
}

// haste is the pace of a move: the run's, or the liar's own.
func (r *run) haste(m stepper.Move) pace {
	if m.Kind == model.Forge {
		switch r.style.liar(m.From).manner {
		case prompt:
			return pace{earliest: 8}
		case delaying:
			return pace{latest: 8}
		}
	}
	return r.style.pace
}

// between draws a multiple of the run's grain, if the span has one.
func (r *run) between(lo, hi world.Time) world.Time {
	g := r.style.grain
	first, last := (lo+g-1)/g, hi/g
	if first > last {
		return lo
	}
	return (first + world.Time(r.c.Choose(int(last-first)+1))) * g
}

// longest is the longest finite time that a system's description speaks of.
func longest(s *model.System) model.Ticks {
	most := max(1, stepper.Finite(s.Returned))
	for i, n := range s.Nodes {
		for j := range s.Nodes {
			most = max(most, stepper.Finite(s.Network.Window(model.NodeID(i), model.NodeID(j))))
		}
		for _, op := range n.Script {
			most = max(most, stepper.Finite(op.After), stepper.Finite(op.Stay))
		}
	}
	return most
}
