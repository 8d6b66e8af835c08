package search

import (
	"cmp"
	"fmt"
	"slices"

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
	kind       kind
	slot, from int16
	label      string
}

// A cast is what is pending in a state of a run, by name.
type cast struct {
	is     []int32             // the occurrences of the state's parts; 0 of a hold
	counts map[eventName]int32 // events so far
}

// A tracker follows the parts of a successor that is being made back to those of the
// present state.
type tracker struct {
	at      []int32  // the occurrences of the present state's parts
	made    []int32  // of the successor's; -1-k for the k-th event that the step creates
	created []uint32 // the bases of those events
}

// A trail is where the parts of a successor come from, kept.
type trail struct {
	made    []int32
	created []uint32
}

func (t *tracker) start() { t.made, t.created = t.made[:0], t.created[:0] }

// copied and without begin a successor.
func (t *tracker) copied() {
	t.made, t.created = append(t.made[:0], t.at...), t.created[:0]
}

func (t *tracker) without(k int) {
	t.copied()
	t.cut(k)
}

func (t *tracker) put(f *flat) {
	if f.kind == hold {
		t.made = append(t.made, 0)
		return
	}
	t.created = append(t.created, f.base)
	t.made = append(t.made, -int32(len(t.created)))
}

func (t *tracker) cut(k int) { t.made = slices.Delete(t.made, k, k+1) }

// same says that the part which was put last is the k-th part of the present state, and
// nothing new.
func (t *tracker) same(k int) {
	t.created = t.created[:len(t.created)-1]
	t.made[len(t.made)-1] = t.at[k]
}

// saved and restore let branches begin with one successor.
func (t *tracker) saved() trail {
	if t == nil {
		return trail{}
	}
	return trail{slices.Clone(t.made), slices.Clone(t.created)}
}

func (t *tracker) restore(s trail) {
	if t != nil {
		t.made, t.created = append(t.made[:0], s.made...), append(t.created[:0], s.created...)
	}
}

// track lets a worker follow what is pending while it expands a state of a run.
func (w *worker) track(now cast, expand func()) {
	w.tracker = &tracker{at: slices.Clone(now.is)}
	defer func() { w.tracker = nil }()
	expand()
}

// takes returns the occurrence of the event that a move takes; 0 when it takes none.
func (w *worker) takes(m move) int32 {
	switch m.kind {
	case model.Crash, model.Restart, model.Forge, passing, tossing:
		return 0
	}
	if m.place < w.head {
		return 0 // the beginning of the run
	}
	return w.tracker.at[m.place-w.head]
}

// after is what is pending once a step was taken, its parts as they were made.
func (x *explorer) after(before cast, t trail) cast {
	counts := map[eventName]int32{}
	for name, n := range before.counts {
		counts[name] = n
	}
	fresh := make([]int32, len(t.created))
	for k, b := range t.created {
		name := x.eventName(b)
		counts[name]++
		fresh[k] = counts[name]
	}
	is := slices.Clone(t.made)
	for i, from := range is {
		if from < 0 {
			is[i] = fresh[-from-1]
		}
	}
	return cast{is, counts}
}

func (x *explorer) eventName(of uint32) eventName {
	b := x.store.bases.items[of]
	name := eventName{kind: b.kind, slot: b.slot, label: "nil"}
	if v := x.decoded(b.value); v != nil {
		name.label = fmt.Sprintf("%T", v)
	}
	switch model.EventKind(b.kind) {
	case model.Deliver:
		name.from = b.from
	case model.Expire:
		name.slot = -1 // alarms of monitors are counted together
	}
	return name
}

// sortCast sorts the parts of a state with their occurrences. Of equal parts the oldest
// comes first: it is the one that is taken, and whenever a younger one may be, it may be.
func sortCast(parts []uint32, is []int32) {
	for i := 1; i < len(parts); i++ {
		for j := i; j > 0 && cmp.Or(cmp.Compare(parts[j], parts[j-1]), cmp.Compare(is[j], is[j-1])) < 0; j-- {
			parts[j], parts[j-1] = parts[j-1], parts[j]
			is[j], is[j-1] = is[j-1], is[j]
		}
	}
}
