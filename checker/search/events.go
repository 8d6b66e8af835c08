package search

import (
	"slices"

	"contend/checker/search/liveness"
	"contend/model"
)

// edge is the edge that the present move takes, wherever it leads.
func (w *worker) edge() liveness.Edge {
	e := liveness.Edge{Event: eventOf(w.move)}
	switch {
	case w.move.kind == model.Restart:
		e.Flags |= liveness.Repair
	case w.move.kind.Adversarial():
		e.Flags |= liveness.Environment
	case e.Event != 0 && w.bases[e.Event].optional:
		e.Flags |= liveness.Spare
	}
	if w.closes() {
		e.Flags |= liveness.Closed
	}
	if w.fair {
		e.Renewed = w.sets.Of(w.renewed)
	}
	return e
}

// eventOf is the event that a move takes, or 0.
func eventOf(m move) uint32 {
	if m.kind.Adversarial() {
		return 0
	}
	return m.base
}

// owed lists the events that must happen some time though nothing says when.
func (w *worker) owed(v []uint32) []uint32 {
	var bases []uint32
	for _, id := range v[w.head:] {
		if f := &w.flats[id]; f.hi == endless && f.kind < hold && !f.optional && (f.kind != kind(model.Deliver) || f.pos == 0) {
			bases = append(bases, f.base)
		}
	}
	return bases
}

// pendingEvent reports whether an event of the protocol is pending that has to happen some
// time.
func (w *worker) pendingEvent(v []uint32) bool {
	return slices.ContainsFunc(v[w.head:], func(id uint32) bool {
		f := &w.flats[id]
		return f.kind < hold && f.kind != kind(model.Expire) && !f.optional
	})
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

// mustMove reports whether something pending has to happen. Where it cannot, as a message
// that has to arrive before the one in front of it may, time cannot go on, and no run stays
// here, even if a server may come back at once: what there is to say of how runs go on is left
// open, as behind a cut. Where coins are tossed, time may go on though nothing else does.
func (w *worker) mustMove(v []uint32) bool {
	return !(w.coins.tossed && w.emitted > 0) && w.pendingEvent(v)
}
