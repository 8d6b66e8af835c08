package step

import (
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/model"
)

// A Draft is a successor that is not made yet: a state without one of its parts, with a node in
// another local state and what that node sends. Its print is the sum of theirs, so it is looked
// up without being made; two of three successors were met before, and never are.
type Draft struct {
	State []uint32 // the present state
	lacks int      // the place of the part that it lacks, or noPart
	slot  int16    // the node
	does  *Reaction
}

// noPart says that a draft lacks nothing of the present state.
const noPart = -1

// onlySends reports whether the sends of a handler change a state by what they send and nothing
// else, whatever the state: there is no order in which messages stand, no equal one that
// one merges with, no node that is down, no cut of the network, no past that they carry, no zone.
func (e *Engine) onlySends() bool {
	return !e.Timed && !e.pasts && e.Sys.Network.Channel == model.Bag && e.Sys.Faults.Crashes == 0 && e.Sys.Faults.Restarts == 0 && e.Sys.Faults.Partitions == 0
}

// foresee finds what a reaction that only sends adds to the print of a state.
func (w *Worker) foresee(r *Reaction, from uint32) {
	if !w.drafts {
		return
	}
	delta := w.LocalPrints[r.next].Minus(w.LocalPrints[from])
	for i := range r.effects {
		if r.effects[i].Do != component.Send {
			return
		}
		delta = delta.Plus(w.Flats[r.effects[i].Part].Print)
	}
	r.sends, r.delta = true, delta
}

// drawn hands on the draft of a successor; sum is the print of what is left of the present state.
func (w *Worker) drawn(v []uint32, lacks int, slot int16, sum fingerprint.Print, r *Reaction) {
	w.Sum = sum.Plus(r.delta)
	w.Sketch(Draft{v, lacks, slot, r})
	w.Emitted++
}

// Make makes the successor, in a buffer.
func (d *Draft) Make(buffer []uint32) []uint32 {
	if d.lacks == noPart {
		buffer = append(buffer[:0], d.State...)
	} else {
		buffer = append(append(buffer[:0], d.State[:d.lacks]...), d.State[d.lacks+1:]...)
	}
	buffer[d.slot] = d.does.next
	for i := range d.does.effects {
		buffer = append(buffer, d.does.effects[i].Part)
	}
	return buffer
}
