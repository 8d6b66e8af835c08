package step

import (
	"cmp"
	"fmt"
	"slices"

	"contend/checker/search/component"
	"contend/model"
)

// While a run is taken again, each pending event is known by its name, as in a trace: its
// kind, its nodes, the type of its value, and its occurrence among such events, from 1, in
// the order in which they came about. Parts say less: two messages may be equal, and a
// message may have moved up in its channel. With the name the interpreter takes the very
// event that the search took, and the messages that absorption deleted are those in
// flight in the interpreter whose names are not pending here.
//
// A message that was deleted counts all the same: it was sent. What arrives once more at a
// restarted server keeps the name under which it arrived before.

// An eventName is a name without its occurrence.
type eventName struct {
	kind       component.Kind
	slot, from int16
	label      string
}

// A Cast is what is pending in a state of a run, by name.
type Cast struct {
	Is     []int32             // the occurrences of the state's parts
	counts map[eventName]int32 // events so far
}

// A tracker follows the parts of a successor that is being made back to those of the
// present state.
type tracker struct {
	at      []int32  // the occurrences of the present state's parts
	made    []int32  // of the successor's; -1-k for the k-th event that the step creates
	created []uint32 // the bases of those events
}

// A Trail is where the parts of a successor come from, kept.
type Trail struct {
	made    []int32
	created []uint32
}

// copied begins a successor.
func (t *tracker) copied() {
	t.made, t.created = append(t.made[:0], t.at...), t.created[:0]
}

func (t *tracker) put(f *component.Flat) {
	t.created = append(t.created, f.Base)
	t.made = append(t.made, -int32(len(t.created)))
}

func (t *tracker) cut(k int) { t.made = slices.Delete(t.made, k, k+1) }

// same says that the part which was put last is the k-th part of the present state, and
// nothing new.
func (t *tracker) same(k int) {
	t.created = t.created[:len(t.created)-1]
	t.made[len(t.made)-1] = t.at[k]
}

// Saved and restore let branches begin with one successor.
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

// Track lets a worker follow what is pending while it expands a state of a run.
func (w *Worker) Track(now Cast, expand func()) {
	w.Tracker, w.followed = &tracker{at: slices.Clone(now.Is)}, true
	defer func() { w.Tracker, w.followed = nil, w.Zones != nil }()
	expand()
}

// followPut, followCut and followCopy tell those who follow the parts of a successor of a
// part that is put into it or cut, and of its beginning.
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
		w.Tracker.copied()
	}
}

// Takes returns the occurrence of the event that a move takes; 0 when it takes none.
func (w *Worker) Takes(m Move) int32 {
	switch m.Kind {
	case model.Crash, model.Stop, model.Restart, model.Forge, model.Mistake, model.Partition, Passing, tossing:
		return 0
	}
	if int(m.place) < w.Head {
		return 0 // the beginning of the run
	}
	return w.Tracker.at[int(m.place)-w.Head]
}

// After is what is pending once a step was taken, its parts as they were made.
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

// SortCast sorts the parts of a state with their occurrences. Of equal parts the oldest
// comes first: it is the one that is taken, and whenever a younger one may be, it may be.
func SortCast(parts []uint32, is []int32) {
	for i := 1; i < len(parts); i++ {
		for j := i; j > 0 && cmp.Or(cmp.Compare(parts[j], parts[j-1]), cmp.Compare(is[j], is[j-1])) < 0; j-- {
			parts[j], parts[j-1] = parts[j-1], parts[j]
			is[j], is[j-1] = is[j-1], is[j]
		}
	}
}
