package sample

import (
	"contend/checker/sample/adversary"
	"contend/checker/sample/stepper"
	"contend/model"
	"contend/model/world"
)

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
	case roll < p.Earliest:
		return lo
	case roll < p.Earliest+p.Latest:
		return hi
	}
	return r.between(lo, hi)
}

// haste is the pace of a move: the run's, or the liar's own.
func (r *run) haste(m stepper.Move) adversary.Pace {
	if m.Kind == model.Forge {
		if p, own := r.adversary.Pace(m.From); own {
			return p
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
