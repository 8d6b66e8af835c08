package sample

import (
	"contend/checker/sample/adversary"
	"contend/model"
	"contend/model/world"
)

// horizon is where a draw from an unbounded window ends, in multiples of the
// longest finite time seen in the run.
const horizon = 3

// instant chooses when a move is taken.
func (r *run) instant(m world.Move) world.Time {
	if !r.bounds.World.Timed {
		return r.w.Now
	}
	lo, hi := r.span(m)
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

// span is the first and the last instant at which a move may be taken.
func (r *run) span(m world.Move) (lo, hi world.Time) {
	if m.Kind.Adversarial() {
		deadline, open := r.w.Deadline()
		lo, hi = r.w.Now, deadline
		if open {
			hi--
		}
	} else {
		lo, hi, _ = r.w.Fires(m.Event)
	}
	return lo, min(hi, lo+world.Time(horizon*int64(r.longest)*max(r.bounds.World.Parts, 1)))
}

// haste is the pace of a move: the run's, or the liar's own.
func (r *run) haste(m world.Move) adversary.Pace {
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
	most := max(1, finite(s.Returned))
	for i, n := range s.Nodes {
		for j := range s.Nodes {
			most = max(most, finite(s.Network.Window(model.NodeID(i), model.NodeID(j))))
		}
		for _, op := range n.Script {
			most = max(most, finite(op.After), finite(op.Stay))
		}
	}
	return most
}

func finite(w model.Window) model.Ticks {
	if w.Hi.At == model.Forever {
		return w.Lo.At
	}
	return w.Hi.At
}

// learn keeps the longest time seen: alarms and holds are known only once set.
func (r *run) learn(record world.Record) {
	for _, e := range record.Armed {
		r.longest = max(r.longest, finite(e.Window))
	}
	for _, h := range record.Held {
		r.longest = max(r.longest, h.Length.At)
	}
}
