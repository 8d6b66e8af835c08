package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
)

// Edge is the edge that the present move takes, wherever it leads.
func (w *Worker) Edge() liveness.Edge {
	e := liveness.Edge{Event: eventOf(w.Move)}
	switch {
	case w.Move.Kind == model.Restart:
		e.Flags |= liveness.Repair
	case w.Move.Kind.Adversarial():
		e.Flags |= liveness.Environment
	case w.bases[e.Event].Optional:
		e.Flags |= liveness.Spare
	}
	if w.closes() {
		e.Flags |= liveness.Closed
	}
	if w.Fair {
		e.Renewed = w.Sets.Of(w.renewed)
	}
	return e
}

// eventOf is the event that a move takes, or 0.
func eventOf(m Move) uint32 {
	if m.Kind.Adversarial() {
		return 0
	}
	return m.Base
}

// Owed lists the events that must happen some time though nothing says when.
func (w *Worker) Owed(v []uint32) []uint32 {
	var bases []uint32
	for _, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Hi == component.Endless && f.Kind < component.Hold && !f.Optional && (f.Kind != component.Kind(model.Deliver) || f.Pos == 0) {
			bases = append(bases, f.Base)
		}
	}
	return bases
}

// PendingEvent reports whether an event of the protocol is pending that has to happen some
// time.
func (w *Worker) PendingEvent(v []uint32) bool {
	return slices.ContainsFunc(v[w.Head:], func(id uint32) bool {
		f := &w.Flats[id]
		return f.Kind < component.Hold && f.Kind != component.Kind(model.Expire) && !f.Optional
	})
}

// closes reports whether the step that is being taken rests on an answer of Held that only
// closing allows: at exactly the end of a closed hold that it is over, of an open one
// that it lasts.
func (w *Worker) closes() bool {
	if !w.Closing() {
		return false
	}
	for _, p := range w.Move.Picks {
		if e := w.Strict.Holds[p.Held]; p.Held == 0 || p.Lasts() && !e.Open || !p.Lasts() && !e.Closed {
			continue
		}
		for _, id := range w.clock[w.Head:] {
			if f := &w.Flats[id]; f.Base == p.Held && f.Hi == 0 {
				return true
			}
		}
	}
	return false
}

// MustMove reports whether something pending has to happen. Where it cannot, as a message
// that has to arrive before the one in front of it may, time cannot go on, and no run stays
// here, even if a server may come back at once: what there is to say of how runs go on is
// left open, as behind a cut. Where coins are tossed, time may go on though nothing else does.
func (w *Worker) MustMove(v []uint32) bool {
	return !(w.Coins.Tossed && w.Emitted > 0) && w.PendingEvent(v)
}
