package step

import (
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/model"
)

// A Draft is a successor that is not built yet: a state without one of its parts, with one node in another
// local state and the messages that the node sends. Its fingerprint is the sum of the fingerprints of its
// components, so it is looked up before it is built. Two of three successors are already known and are never
// built.
type Draft struct {
	State    []uint32 // the present state
	removed  int      // the index of the removed part, or noPart
	slot     int16    // the node
	reaction *Reaction
}

// noPart is the index for a draft that removes no part of the state.
const noPart = -1

// onlySends reports whether, in this system, a send changes a state only by adding its message. So there are no
// FIFO channels, no merging of equal messages, no crashes, no partitions, no causal pasts and no zones.
func (e *Engine) onlySends() bool {
	return !e.Timed && !e.pasts && e.Sys.Network.Channel == model.Bag && e.Sys.Faults.Crashes == 0 && e.Sys.Faults.Restarts == 0 && e.Sys.Faults.Partitions == 0
}

// addDelta computes how a reaction changes the fingerprint of a state, if the reaction only sends.
func (w *Worker) addDelta(r *Reaction, from uint32) {
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

// emitDraft passes the draft of a successor to Sketch; sum is the fingerprint of the present state without the
// part at index removed.
func (w *Worker) emitDraft(v []uint32, removed int, slot int16, sum fingerprint.Print, r *Reaction) {
	w.Sum = sum.Plus(r.delta)
	w.Sketch(Draft{v, removed, slot, r})
	w.Emitted++
}

// Make builds the successor in a buffer and returns it.
func (d *Draft) Make(buffer []uint32) []uint32 {
	if d.removed == noPart {
		buffer = append(buffer[:0], d.State...)
	} else {
		buffer = append(append(buffer[:0], d.State[:d.removed]...), d.State[d.removed+1:]...)
	}
	buffer[d.slot] = d.reaction.next
	for i := range d.reaction.effects {
		buffer = append(buffer, d.reaction.effects[i].Part)
	}
	return buffer
}
