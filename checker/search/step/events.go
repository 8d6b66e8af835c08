package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
)

// Edge returns the edge of the present move, without its target.
func (w *Worker) Edge() liveness.Edge {
	e := liveness.Edge{Event: moveEvent(w.Move)}
	switch {
	case w.Move.Kind == model.Restart:
		e.Flags |= liveness.Repair
	case w.Move.Kind.Adversarial():
		e.Flags |= liveness.Environment
	case w.bases[e.Event].Optional:
		e.Flags |= liveness.Spare
	}
	if w.restsOnClosing() {
		e.Flags |= liveness.Closed
	}
	if w.Fair {
		e.Renewed = w.Sets.Of(w.renewed)
	}
	return e
}

// moveEvent returns the event of a move, or 0.
func moveEvent(m Move) uint32 {
	if m.Kind.Adversarial() {
		return 0
	}
	return m.Base
}

// Obligations returns the bases of the events that must happen eventually but have no deadline.
func (w *Worker) Obligations(v []uint32) []uint32 {
	var bases []uint32
	for _, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Hi == component.Endless && f.Kind < component.Hold && !f.Optional && (f.Kind != component.Kind(model.Deliver) || f.Pos == 0) {
			bases = append(bases, f.Base)
		}
	}
	return bases
}

// PendingEvent reports whether an event of the protocol is pending that must happen eventually.
func (w *Worker) PendingEvent(v []uint32) bool {
	return slices.ContainsFunc(v[w.Head:], func(id uint32) bool {
		f := &w.Flats[id]
		return f.Kind < component.Hold && f.Kind != component.Kind(model.Expire) && !f.Optional
	})
}

// restsOnClosing reports whether the present step uses an answer of Held that only closed bounds allow. At
// exactly the end of a hold, such an answer is *over* for a closed hold and *lasts* for an open hold.
func (w *Worker) restsOnClosing() bool {
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

// MustMove reports whether a pending event must happen. If it cannot happen, time cannot pass and no run stays
// in the state, even if a server may restart at once. An example is a message that must arrive before the
// message in front of it may. What claims say about the rest of such a run is then unknown, as behind a cut.
// Where coins are tossed, time may pass if there is any successor.
func (w *Worker) MustMove(v []uint32) bool {
	return !(w.Coins.Tossed && w.Emitted > 0) && w.PendingEvent(v)
}
