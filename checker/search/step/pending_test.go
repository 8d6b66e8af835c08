package step

import (
	"slices"
	"testing"

	"contend/checker/search/component"
	"contend/model"
)

// A receiver only answers a node when it has one way to react, in which it stays as it is, within the cuts,
// asks nothing, and does nothing but to send that node messages.
func TestAnswers(t *testing.T) {
	bases := []component.Base{{}, {Slot: 4}, {Slot: 5}, {Slot: 0}}
	send := func(base uint32) component.Effect { return component.Effect{Do: component.Send, Base: base} }
	plain := component.Outcome{Next: 7, Cut: -1, Effects: []component.Effect{send(1)}}
	with := func(change func(o *component.Outcome)) []component.Outcome {
		o := plain
		change(&o)
		return []component.Outcome{o}
	}
	for name, c := range map[string]struct {
		rs   []component.Outcome
		want int16
	}{
		"an answer":      {[]component.Outcome{plain}, 4},
		"two":            {with(func(o *component.Outcome) { o.Effects = []component.Effect{send(1), send(1)} }), 4},
		"to two":         {with(func(o *component.Outcome) { o.Effects = []component.Effect{send(1), send(2)} }), -1},
		"to the first":   {with(func(o *component.Outcome) { o.Effects = []component.Effect{send(3), send(3)} }), 0},
		"to it, another": {with(func(o *component.Outcome) { o.Effects = []component.Effect{send(3), send(2)} }), -1},
		"none":           {with(func(o *component.Outcome) { o.Effects = nil }), -1},
		"a note":         {with(func(o *component.Outcome) { o.Effects = []component.Effect{send(1), {Do: component.Note}} }), -1},
		"another state":  {with(func(o *component.Outcome) { o.Next = 8 }), -1},
		"the first cut":  {with(func(o *component.Outcome) { o.Cut = 0 }), -1},
		"the second cut": {with(func(o *component.Outcome) { o.Cut = 1 }), -1},
		"a question":     {with(func(o *component.Outcome) { o.Picks = []component.Pick{{Of: 1}} }), -1},
		"two ways":       {[]component.Outcome{plain, plain}, -1},
	} {
		if got := Answers(c.rs, 7, bases); got != c.want {
			t.Errorf("%s: it answers %d, want %d", name, got, c.want)
		}
	}
}

// What is pending has to happen some time unless it is optional, no event, or a monitor's alarm. It is owed where
// no window says when, and nothing stands before it in its channel.
func TestWhatHasToHappen(t *testing.T) {
	const deliver, timeout, expire = component.Kind(model.Deliver), component.Kind(model.Timeout), component.Kind(model.Expire)
	for name, c := range map[string]struct {
		f             component.Flat
		pending, owed bool
	}{
		"a message":          {component.Flat{Kind: deliver, Hi: component.Endless}, true, true},
		"by its time":        {component.Flat{Kind: deliver, Hi: 9}, true, false},
		"behind another":     {component.Flat{Kind: deliver, Hi: component.Endless, Pos: 1}, true, false},
		"once more":          {component.Flat{Kind: deliver, Hi: component.Endless, Optional: true}, false, false},
		"an alarm":           {component.Flat{Kind: timeout, Hi: component.Endless}, true, true},
		"a place of its own": {component.Flat{Kind: timeout, Hi: component.Endless, Pos: 1}, true, true},
		"a monitor's alarm":  {component.Flat{Kind: expire, Hi: component.Endless}, false, true},
		"a hold":             {component.Flat{Kind: component.Hold, Hi: component.Endless}, false, false},
		"what was delivered": {component.Flat{Kind: component.Delivered, Hi: component.Endless}, false, false},
	} {
		w := &Worker{Engine: &Engine{Store: &component.Store{}, Head: 2}}
		c.f.Base = 5
		w.view.Flats = []component.Flat{{}, c.f}
		v := []uint32{0, 0, 1}
		if got := w.PendingEvent(v); got != c.pending {
			t.Errorf("%s: it has to happen: %v", name, got)
		}
		if got := w.Obligations(v); !slices.Equal(got, map[bool][]uint32{true: {5}}[c.owed]) {
			t.Errorf("%s: owed is %v", name, got)
		}
		if w.PendingEvent(v[:2]) || w.Obligations(v[:2]) != nil {
			t.Errorf("%s: where nothing is pending, something has to happen", name)
		}
		for _, c := range []struct {
			tossed  bool
			emitted uint32
			may     bool // time may go on
		}{{false, 0, false}, {false, 1, false}, {true, 0, false}, {true, 1, true}} {
			w.Coins.Tossed, w.Emitted = c.tossed, c.emitted
			if got := w.MustMove(v); got != (w.PendingEvent(v) && !c.may) {
				t.Errorf("%s, %+v: something must move: %v", name, c, got)
			}
		}
	}
}

// Parts are sorted with their occurrences: equal ones by these.
func TestSortCast(t *testing.T) {
	for _, c := range []struct {
		parts, want []uint32
		is, then    []int32
	}{
		{nil, nil, nil, nil},
		{[]uint32{3, 1, 2}, []uint32{1, 2, 3}, []int32{7, 8, 9}, []int32{8, 9, 7}},
		{[]uint32{2, 1}, []uint32{1, 2}, []int32{1, 1}, []int32{1, 1}},
		{[]uint32{2, 1, 2, 1, 2}, []uint32{1, 1, 2, 2, 2}, []int32{3, 2, 1, 1, 2}, []int32{1, 2, 1, 2, 3}},
	} {
		parts, is := slices.Clone(c.parts), slices.Clone(c.is)
		if SortCast(parts, is); !slices.Equal(parts, c.want) || !slices.Equal(is, c.then) {
			t.Errorf("%v with %v become %v with %v", c.parts, c.is, parts, is)
		}
	}
}
