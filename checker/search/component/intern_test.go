package component

import (
	"math"
	"slices"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/model"
)

// message is one to p1 that says something.
func (st *Store) message(says int) Base {
	return Base{Kind: Kind(model.Deliver), Slot: p1, From: p2, Value: st.Value(says)}
}

// The same has the same number, and what differs has another, from 1 on: 0 is none.
func TestNumbers(t *testing.T) {
	st := stored(t, act(nil))
	for name, number := range map[string]func(k int) uint32{
		"local states": func(k int) uint32 { return st.Local(p1, st.Codec.Node(&actor{S: k}, nil)) },
		"bases":        func(k int) uint32 { return st.Base(st.message(k)) },
		"parts":        func(k int) uint32 { return st.Part(Part{Base: st.Base(st.message(0)), Lo: 0, Hi: int32(k)}) },
		"pasts":        func(k int) uint32 { return st.PastID([]int32{int32(k), 1}) },
	} {
		one, two, again := number(7), number(8), number(7)
		if one == 0 || two == 0 || one == two || one != again {
			t.Errorf("%s: they are called %d, %d and, the first again, %d", name, one, two, again)
		}
	}
	if seven := st.Value(7); seven != st.Value(7) || seven == st.Value(8) {
		t.Error("values: equal ones differ, or others are equal")
	}
	if st.Local(p1, []byte("s")) == st.Local(p2, []byte("s")) {
		t.Error("two nodes share a local state")
	}
}

// What is given out is a copy: who writes into it changes nothing.
func TestComponentsAreCopied(t *testing.T) {
	st := stored(t, act(nil))
	v := st.Value(letter{[]int{1, 2}})
	st.Decoded(v).(letter).Words[0] = 9
	if got := st.Decoded(v).(letter).Words; !slices.Equal(got, []int{1, 2}) {
		t.Errorf("the value is %v", got)
	}
	past := st.PastID([]int32{3, 4})
	st.Past(past)[0] = 9
	if got := st.Past(past); !slices.Equal(got, []int32{3, 4}) || st.Past(0) != nil {
		t.Errorf("the past is %v, and none is %v", got, st.Past(0))
	}
	id := st.Local(p1, st.Codec.Node(&actor{Keys: map[int]int{1: 1}}, nil))
	st.node(p1, id).(*actor).Keys[1] = 9
	if got := st.node(p1, id).(*actor).Keys[1]; got != 1 {
		t.Errorf("the state is %d", got)
	}
}

// Handlers are cached by what they can tell apart: not whether a message comes once more, where
// in its channel it stood, or whose causal past it brings.
func TestTriggers(t *testing.T) {
	st := stored(t, act(nil))
	plain := st.message(5)
	trigger := st.Base(plain)
	for name, c := range map[string]struct {
		change func(b *Base)
		same   bool
	}{
		"once more":      {func(b *Base) { b.Optional = true }, true},
		"place":          {func(b *Base) { b.Pos = 2 }, true},
		"past":           {func(b *Base) { b.Past = st.PastID([]int32{1}) }, true},
		"value":          {func(b *Base) { b.Value = st.Value(6) }, false},
		"sender":         {func(b *Base) { b.From = liar }, false},
		"receiver":       {func(b *Base) { b.Slot = p2 }, false},
		"kind":           {func(b *Base) { b.Kind = Kind(model.Forge) }, false},
		"nothing at all": {func(*Base) {}, true},
	} {
		b := plain
		c.change(&b)
		id := st.Base(b)
		if same := st.Triggers[id] == trigger; same != c.same {
			t.Errorf("%s: it has the same trigger: %v", name, same)
		}
		if f := st.Flats[st.Part(Part{Base: id, Hi: 1})]; f.Trigger != st.Triggers[id] || f.Base != id {
			t.Errorf("%s: its part has base %d and trigger %d, not %d and %d", name, f.Base, f.Trigger, id, st.Triggers[id])
		}
	}
}

// everyEvent makes pending events that differ in one thing each, in an order, and returns their
// prints in the order of the things.
func everyEvent(st *Store, backwards bool) []fingerprint.Print {
	changes := []func(b *Base){
		func(*Base) {}, func(b *Base) { b.Kind = Delivered }, func(b *Base) { b.Optional = true }, func(b *Base) { b.Slot = 2 },
		func(b *Base) { b.From = 1 }, func(b *Base) { b.Op = 4 }, func(b *Base) { b.Pos = 3 },
		func(b *Base) { b.Value = st.Value(6) }, func(b *Base) { b.Past = st.PastID([]int32{5}) },
	}
	windows := []Part{{Lo: 0, Hi: 1}, {Lo: 1, Hi: 1}, {Lo: 0, Hi: 2}, {Lo: 0, Hi: Endless}, {Lo: 0, Hi: 1, Coin: true}}
	prints := make([]fingerprint.Print, len(changes)*len(windows))
	for k := range prints {
		if backwards {
			k = len(prints) - 1 - k
		}
		b := Base{Kind: Kind(model.Deliver), Slot: 1, From: 2, Op: 3, Pos: 4, Value: st.Value(5), Past: st.PastID([]int32{6})}
		changes[k/len(windows)](&b)
		p := windows[k%len(windows)]
		p.Base = st.Base(b)
		prints[k] = st.Flats[st.Part(p)].Print
	}
	return prints
}

// Pending events have prints of their own, and so have local states: they may differ in any one
// thing. Prints are of content: they are the same whatever the numbers.
func TestPrints(t *testing.T) {
	one, other := stored(t, act(nil)), stored(t, act(nil))
	other.Value("what takes up numbers")
	other.PastID([]int32{9})
	other.Local(p1, []byte("what takes up numbers"))
	prints := everyEvent(one, false)
	if !slices.Equal(prints, everyEvent(other, true)) {
		t.Error("the prints of events depend on the order in which they come")
	}
	for k, id := range []uint32{one.Local(p1, []byte("a")), one.Local(p1, []byte("b")), one.Local(p2, []byte("a"))} {
		prints = append(prints, one.LocalPrints[id])
		if k == 2 && one.LocalPrints[id] != other.LocalPrints[other.Local(p2, []byte("a"))] {
			t.Error("the print of a local state depends on its number")
		}
	}
	if a, b := one.PastID([]int32{1, 2}), other.PastID([]int32{1, 2}); one.PastPrints[a] != other.PastPrints[b] {
		t.Error("the print of a past depends on its number")
	}
	distinct := map[fingerprint.Print]bool{{}: true}
	for _, p := range prints {
		distinct[p] = true
	}
	if len(distinct) != len(prints)+1 {
		t.Errorf("%d components have %d prints, or that of nothing", len(prints), len(distinct)-1)
	}
}

// A tick takes one from what is left of a window. An event that must have happened blocks it;
// what need not happen is gone, and so is a hold.
func TestTicked(t *testing.T) {
	event := func(st *Store) Base { return st.message(1) }
	optional := func(st *Store) Base { b := st.message(1); b.Optional = true; return b }
	delivered := func(st *Store) Base { b := st.message(1); b.Kind = Delivered; return b }
	hold := func(*Store) Base { return Base{Kind: Hold} }
	for _, c := range []struct {
		name   string
		base   func(st *Store) Base
		lo, hi int32
		then   [2]int32 // {Blocked} and {Gone} besides
	}{
		{"an event that must happen", event, 0, 0, [2]int32{-1}},
		{"one that may happen now", event, 0, 3, [2]int32{0, 2}},
		{"one that is yet to come", event, 2, 3, [2]int32{1, 2}},
		{"one that may take for ever", event, 0, Endless, [2]int32{0, Endless}},
		{"one that begins later, and may take for ever", event, 1, Endless, [2]int32{0, Endless}},
		{"a message that may come once more", optional, 0, 2, [2]int32{0, 1}},
		{"one that may not any more", optional, 0, 0, [2]int32{-2}},
		{"a delivery that is remembered", delivered, 0, 1, [2]int32{0, 0}},
		{"one that can be forgotten", delivered, 0, 0, [2]int32{-2}},
		{"a hold", hold, 0, 2, [2]int32{0, 1}},
		{"a hold at its end", hold, 0, 0, [2]int32{-2}},
	} {
		st := stored(t, act(nil))
		part := Part{Base: st.Base(c.base(st)), Lo: c.lo, Hi: c.hi}
		part.Coin = c.hi < Endless
		got := st.Ticked(st.Part(part))
		want := map[int32]uint32{-1: Blocked, -2: Gone}[c.then[0]]
		if c.then[0] >= 0 {
			part.Lo, part.Hi = c.then[0], c.then[1]
			want = st.Part(part)
		}
		if got != want {
			t.Errorf("%s: a tick later it is %d, want %d", c.name, got, want)
		}
	}
	if Gone == Blocked || Blocked <= math.MaxInt32 {
		t.Errorf("Gone is %d, Blocked %d: they may be parts", Gone, Blocked)
	}
}

// With puts another base under what is left of a part's time, and Plain takes the time away, but
// for the length of a hold.
func TestWithAndPlain(t *testing.T) {
	st := stored(t, act(nil))
	at := Part{Base: st.Base(st.message(1)), Lo: 1, Hi: 2, Coin: true}
	id := st.Part(at)
	moved := at
	b := st.message(1)
	b.Pos = 4
	moved.Base = st.Base(b)
	if got := st.Parts.Items[st.With(id, func(b *Base) { b.Pos = 4 })]; got != moved || st.Parts.Items[id] != at {
		t.Errorf("with another place it is %+v, want %+v; it was %+v", got, moved, st.Parts.Items[id])
	}
	event, hold := Part{Base: at.Base, Lo: 1, Hi: 2}, Part{Base: st.Base(Base{Kind: Hold}), Lo: -3, Hi: 7}
	if got, want := st.Parts.Items[st.Plain(st.Part(event))], (Part{Base: at.Base, Hi: Endless}); got != want {
		t.Errorf("a plain event is %+v, want %+v", got, want)
	}
	if got, want := st.Parts.Items[st.Plain(st.Part(hold))], (Part{Base: hold.Base, Hi: 7}); got != want {
		t.Errorf("a plain hold is %+v, want %+v", got, want)
	}
}

// A part is a message in a channel unless it comes once more after a restart.
func TestInChannel(t *testing.T) {
	st := stored(t, act(nil))
	for _, c := range []struct {
		change func(b *Base)
		in     bool
	}{
		{func(*Base) {}, true},
		{func(b *Base) { b.Optional = true }, false},
		{func(b *Base) { b.Kind = Delivered }, false},
		{func(b *Base) { b.Slot = p2 }, false},
		{func(b *Base) { b.From = liar }, false},
	} {
		b := st.message(1)
		c.change(&b)
		if f := st.Flats[st.Part(Part{Base: st.Base(b)})]; f.InChannel(p2, p1) != c.in {
			t.Errorf("%+v is in the channel from p2 to p1: %v", b, !c.in)
		}
	}
}
