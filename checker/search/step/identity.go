package step

import (
	"cmp"
	"fmt"
	"slices"

	"contend/checker/search/component"
	"contend/model"
)

// When a run is replayed, each pending event has a name, as in a trace: its kind, its nodes, the type of its
// value, and its occurrence. Occurrences number the events with the same kind, nodes and type, from 1, in the
// order of their creation. A part is no name: two messages may be equal, and a message may have moved up in its
// channel. By its name the interpreter finds the event that the search took. Messages that absorption deleted
// are in flight in the interpreter, and their names are not pending here.
//
// A deleted message has an occurrence, since it was sent. A message that arrives again at a restarted server
// keeps its name.

// An eventName is the name of an event without its occurrence.
type eventName struct {
	kind       component.Kind
	slot, from int16
	label      string
}

// A Cast is the pending events of a state of a run, by name.
type Cast struct {
	Is     []int32             // by part of the state: its occurrence
	counts map[eventName]int32 // number of events created so far
}

// A tracker relates the parts of a successor that is being built to the parts of the present state.
type tracker struct {
	present []int32  // by part of the present state: its occurrence
	made    []int32  // by part of the successor: its occurrence; -1-k for the k-th new event
	created []uint32 // bases of the new events
}

// A Trail is a copy of a tracker's account of the successor.
type Trail struct {
	made    []int32
	created []uint32
}

// begin begins a successor with the parts of the present state.
func (t *tracker) begin() {
	t.made, t.created = append(t.made[:0], t.present...), t.created[:0]
}

func (t *tracker) put(f *component.Flat) {
	t.created = append(t.created, f.Base)
	t.made = append(t.made, -int32(len(t.created)))
}

func (t *tracker) cut(k int) { t.made = slices.Delete(t.made, k, k+1) }

// reuse records that the last part put is the k-th part of the present state, and no new event.
func (t *tracker) reuse(k int) {
	t.created = t.created[:len(t.created)-1]
	t.made[len(t.made)-1] = t.present[k]
}

// Saved returns a copy of the account, for restore, so that several branches continue from the same successor.
// On a nil tracker it returns the zero Trail.
func (t *tracker) Saved() Trail {
	if t == nil {
		return Trail{}
	}
	return Trail{slices.Clone(t.made), slices.Clone(t.created)}
}

func (t *tracker) restore(s Trail) {
	if t != nil {
		t.made, t.created = append(t.made[:0], s.made...), append(t.created[:0], s.created...)
	}
}

// Track calls expand with a tracker that begins with the pending events now.
func (w *Worker) Track(now Cast, expand func()) {
	w.Tracker, w.follows = &tracker{present: slices.Clone(now.Is)}, true
	defer func() { w.Tracker, w.follows = nil, w.Zones != nil }()
	expand()
}

// followPut reports a new part to the zone and the tracker, and returns the part as states hold it.
func (w *Worker) followPut(id uint32) uint32 {
	if w.Zones != nil {
		id = w.Zones.put(w, id)
	}
	if w.Tracker != nil {
		w.Tracker.put(&w.Flats[id])
	}
	return id
}

func (w *Worker) followCut(k int) {
	if w.Zones != nil {
		w.Zones.cut(k)
	}
	if w.Tracker != nil {
		w.Tracker.cut(k)
	}
}

func (w *Worker) followCopy() {
	if w.Zones != nil {
		w.Zones.begin()
	}
	if w.Tracker != nil {
		w.Tracker.begin()
	}
}

// Occurrence returns the occurrence of a move's event; 0 if the move has none.
func (w *Worker) Occurrence(m Move) int32 {
	switch m.Kind {
	case model.Crash, model.Stop, model.Restart, model.Forge, model.Mistake, model.Partition, Passing, tossing:
		return 0
	}
	if int(m.index) < w.Head {
		return 0 // the beginning of the run
	}
	return w.Tracker.present[int(m.index)-w.Head]
}

// After returns the pending events after a step, in the order of the successor's parts before sorting.
func (e *Engine) After(before Cast, t Trail) Cast {
	counts := map[eventName]int32{}
	for name, n := range before.counts {
		counts[name] = n
	}
	fresh := make([]int32, len(t.created))
	for k, b := range t.created {
		name := e.eventName(b)
		counts[name]++
		fresh[k] = counts[name]
	}
	is := slices.Clone(t.made)
	for i, from := range is {
		if from < 0 {
			is[i] = fresh[-from-1]
		}
	}
	return Cast{is, counts}
}

func (e *Engine) eventName(of uint32) eventName {
	b := e.Store.Bases.Items[of]
	name := eventName{kind: b.Kind, slot: b.Slot, label: "nil"}
	if v := e.Decoded(b.Value); v != nil {
		name.label = fmt.Sprintf("%T", v)
	}
	switch model.EventKind(b.Kind) {
	case model.Deliver:
		name.from = b.From
	case model.Expire:
		name.slot = -1 // alarms of monitors are counted together
	}
	return name
}

// SortCast sorts the parts of a state, together with their occurrences. Of equal parts the oldest comes first.
// The search takes the oldest of equal parts, which is sound: it may fire whenever a younger part may.
func SortCast(parts []uint32, is []int32) {
	for i := 1; i < len(parts); i++ {
		for j := i; j > 0 && cmp.Or(cmp.Compare(parts[j], parts[j-1]), cmp.Compare(is[j], is[j-1])) < 0; j-- {
			parts[j], parts[j-1] = parts[j-1], parts[j]
			is[j], is[j-1] = is[j-1], is[j]
		}
	}
}
