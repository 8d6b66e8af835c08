package sample

import (
	"contend/checker/sample/adversary"
	"contend/checker/sample/stepper"
	"contend/model"
	"contend/model/world"
)

// horizon bounds a draw from an unbounded window, in multiples of the longest finite time of the run.
const horizon = 3

// A style is a run's distribution of instants. It is drawn once a run, so that runs differ in kind (swarm
// testing).
type style struct {
	pace  adversary.Pace
	grain world.Time // multiple of drawn instants within a window
}

// paces lists the paces of runs. The first is the default: every instant is the earliest.
var paces = [...]adversary.Pace{{Earliest: 8}, {Earliest: 6, Latest: 1}, {Earliest: 5, Latest: 2}, {Earliest: 3, Latest: 3}, {Earliest: 3, Latest: 1}, {Earliest: 1, Latest: 1}}

// drawStyle draws the style of a run with time.
func drawStyle(c Choices, reading world.Options) style {
	if !reading.Timed {
		return style{}
	}
	return style{paces[c.Choose(len(paces))], [...]world.Time{world.Time(max(reading.Parts, 1)), 1}[c.Choose(2)]}
}

// instant chooses the instant of a move.
func (r *run) instant(m stepper.Move) world.Time {
	if !r.bounds.World.Timed {
		return r.Now()
	}
	lo, hi := r.Span(m)
	hi = min(hi, r.rings, lo+world.Time(horizon*int64(max(r.longest, r.Longest()))*max(r.bounds.World.Parts, 1)))
	switch {
	case lo >= hi, r.runs(m, fast):
		return lo
	case r.planned != nil:
		return [...]world.Time{lo, hi}[r.c.Choose(2)]
	case r.runs(m, slow):
		return hi
	}
	switch p, roll := r.haste(m), r.c.Choose(8); {
	case roll < p.Earliest:
		return lo
	case roll < p.Earliest+p.Latest:
		return hi
	}
	return r.drawTime(lo, hi)
}

// haste returns the pace of a move: the run's, or the Byzantine node's own.
func (r *run) haste(m stepper.Move) adversary.Pace {
	if m.Kind == model.Forge {
		if p, own := r.adversary.Pace(m.From); own {
			return p
		}
	}
	return r.style.pace
}

// drawTime draws a multiple of the grain in [lo, hi], or returns lo if there is none.
func (r *run) drawTime(lo, hi world.Time) world.Time {
	g := r.style.grain
	first, last := (lo+g-1)/g, hi/g
	if first > last {
		return lo
	}
	return (first + world.Time(r.c.Choose(int(last-first)+1))) * g
}

// longest returns the longest finite time in a system's description; 1 at least.
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
