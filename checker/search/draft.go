package search

import "contend/model"

// A draft is a successor that is not made yet: a state without one of its parts, with a node in
// another local state and what that node sends. Its print is the sum of theirs, so it is looked
// up without being made; two of three successors were met before, and never are.
type draft struct {
	state []uint32 // the present state
	lacks int      // the place of the part that it lacks, or noPart
	slot  int16    // the node
	does  *reaction
}

// noPart says that a draft lacks nothing of the present state.
const noPart = -1

// onlySends reports whether the sends of a handler change a state by what they send and nothing
// else, whatever the state: there is no order in which messages stand, no equal one that
// one merges with, no node that is down, no past that they carry, no zone.
func (e *engine) onlySends() bool {
	return !e.timed && e.causal == nil && e.sys.Network.Channel == model.Bag && e.sys.Faults.Crashes == 0 && e.sys.Faults.Restarts == 0
}

// foresee finds what a reaction that only sends adds to the print of a state.
func (w *worker) foresee(r *reaction, from uint32) {
	if !w.drafts {
		return
	}
	delta := w.localPrints[r.next].Minus(w.localPrints[from])
	for i := range r.effects {
		if r.effects[i].do != send {
			return
		}
		delta = delta.Plus(w.flats[r.effects[i].part].print)
	}
	r.sends, r.delta = true, delta
}

// drawn hands on the draft of a successor; sum is the print of what is left of the present state.
func (w *worker) drawn(v []uint32, lacks int, slot int16, sum print, r *reaction) {
	w.move.picks, w.move.broken, w.move.witness = nil, nil, 0
	w.sum = sum.Plus(r.delta)
	w.sketch(draft{v, lacks, slot, r})
	w.emitted++
}

// make makes the successor, in a buffer.
func (d *draft) make(buffer []uint32) []uint32 {
	if d.lacks == noPart {
		buffer = append(buffer[:0], d.state...)
	} else {
		buffer = append(append(buffer[:0], d.state[:d.lacks]...), d.state[d.lacks+1:]...)
	}
	buffer[d.slot] = d.does.next
	for i := range d.does.effects {
		buffer = append(buffer, d.does.effects[i].part)
	}
	return buffer
}
