package component

import (
	"fmt"
	"reflect"
	"testing"

	"contend/checker/zone"
	"contend/model"
)

// What is left of a window when it begins, in each reading of time. Closing, strict bounds are
// closed; exactly, they lie a step of the grid inward; untimed there is none.
func TestWindows(t *testing.T) {
	open := model.Window{Lo: model.Below(1), Hi: model.Below(3)}
	for _, c := range []struct {
		w      model.Window
		refine Refinement
		lo, hi int32
	}{
		{model.Between(1, 3), Closing, 1, 3},
		{open, Closing, 1, 3},
		{model.Anytime(), Closing, 0, Endless},
		{model.Between(1, 3), ExactGrid(1), 1, 3},
		{open, ExactGrid(1), 2, 2},
		{open, ExactGrid(2), 3, 5},
		{open, ExactGrid(4), 5, 11},
		{open, Refinement{Parts: 4}, 4, 12},
		{model.Anytime(), ExactGrid(4), 0, Endless},
	} {
		st := stored(t, act(nil), func(_ *model.System, st *Store) { st.Refine = c.refine })
		p := st.Parts.Items[st.Pending(st.Base(st.message(1)), c.w)]
		if p.Lo != c.lo || p.Hi != c.hi || p.Coin {
			t.Errorf("%v, %+v: it is %+v, want %d and %d", c.w, c.refine, p, c.lo, c.hi)
		}
		if st.Closing() != !c.refine.Exact {
			t.Errorf("%+v: closing is %v", c.refine, st.Closing())
		}
		untimed := stored(t, act(nil), func(_ *model.System, st *Store) { st.Refine, st.Timed = c.refine, false })
		if p := untimed.Parts.Items[untimed.Pending(untimed.Base(untimed.message(1)), c.w)]; p.Lo != 0 || p.Hi != Endless || untimed.Closing() {
			t.Errorf("%v, untimed: it is %+v", c.w, p)
		}
	}
}

// A hold's part says through when it lasts: an open one ends a step of an exact grid before.
// In dense time parts have the bounds of zones.
func TestHoldsAndDenseTime(t *testing.T) {
	for _, c := range []struct {
		d      model.Bound
		refine Refinement
		hi     int32
	}{
		{model.Through(2), Closing, 2}, {model.Below(2), Closing, 2}, {model.Through(2), ExactGrid(2), 4}, {model.Below(2), ExactGrid(2), 3},
	} {
		st := stored(t, act(nil), func(_ *model.System, st *Store) { st.Refine = c.refine })
		if p := st.Parts.Items[st.holdPart(st.Base(Base{Kind: Hold}), c.d)]; p.Lo != 0 || p.Hi != c.hi {
			t.Errorf("%+v, %+v: it is %+v, want %d", c.d, c.refine, p, c.hi)
		}
	}
	st := stored(t, act(nil), func(_ *model.System, st *Store) { st.Dense = true })
	w := model.Window{Lo: model.Through(1), Hi: model.Below(3)}
	if p := st.Parts.Items[st.Pending(st.Base(st.message(1)), w)]; p.Lo != int32(zone.Lower(w.Lo)) || p.Hi != int32(zone.Upper(w.Hi)) || st.Closing() {
		t.Errorf("%v, dense: it is %+v", w, p)
	}
	if p := st.Parts.Items[st.holdPart(st.Base(Base{Kind: Hold}), model.Below(2))]; p.Lo != int32(zone.AtMost(-2)) || p.Hi != int32(zone.Upper(model.Below(2))) {
		t.Errorf("a hold, dense: it is %+v", p)
	}
	long := model.Below(zone.MaxTicks + 1)
	if text := misuse(func() { st.holdPart(st.Base(Base{Kind: Hold}), long) }); text != fmt.Sprintf("a bound of %d ticks is set, but dense time counts to %d", long.At, zone.MaxTicks) {
		t.Errorf("a long hold: %q", text)
	}
}

// misuse returns the text of a misuse that is reported, or nothing.
func misuse(what func()) (text string) {
	defer func() {
		if m, ok := recover().(model.Refused); ok {
			text = m.Text
		}
	}()
	what()
	return ""
}

// A coin is one where coins are tossed. Its strict bounds are read exactly, whatever those of
// others are, and it must have an end and a tick in it.
func TestCoins(t *testing.T) {
	coin := func(lo, hi model.Bound) model.Window { return model.Window{Lo: lo, Hi: hi, Coin: true} }
	for _, c := range []struct {
		w      model.Window
		tossed bool
		want   Part // but for its base
		misuse string
	}{
		{model.Uniform(1, 3), true, Part{Lo: 1, Hi: 3, Coin: true}, ""},
		{model.Uniform(1, 3), false, Part{Lo: 1, Hi: 3}, ""},
		{model.Between(1, 3), true, Part{Lo: 1, Hi: 3}, ""},
		{coin(model.Below(1), model.Below(3)), true, Part{Lo: 2, Hi: 2, Coin: true}, ""},
		{coin(model.Below(1), model.Below(3)), false, Part{Lo: 1, Hi: 3}, ""},
		{coin(model.Below(1), model.Below(2)), true, Part{}, "an instant is drawn from (1, 2), which has no end or no whole tick"},
		{coin(model.Through(1), model.Bound{At: model.Forever, Open: true}), true, Part{}, "an instant is drawn from [1, ∞), which has no end or no whole tick"},
	} {
		st := stored(t, act(nil), func(_ *model.System, st *Store) { st.Coins = Coins{Tossed: c.tossed} })
		c.want.Base = st.Base(st.message(1))
		var got Part
		text := misuse(func() { got = st.Parts.Items[st.Pending(c.want.Base, c.w)] })
		if text != c.misuse || text == "" && got != c.want {
			t.Errorf("%v, tossed %v: %+v, %q; want %+v, %q", c.w, c.tossed, got, text, c.want, c.misuse)
		}
	}
}

// The store knows which strict bounds were met: windows with an open end, unless it is no end at
// all, and of each hold at which end it was created. Coins are not among them.
func TestStrictBoundsMet(t *testing.T) {
	hold := Base{Kind: Hold}
	for name, c := range map[string]struct {
		meet    func(st *Store)
		windows bool
		holds   []holdEnds
	}{
		"nothing":        {func(*Store) {}, false, nil},
		"closed":         {func(st *Store) { st.Pending(0, model.Between(1, 3)) }, false, nil},
		"without an end": {func(st *Store) { st.Pending(0, model.Anytime()) }, false, nil},
		"open below":     {func(st *Store) { st.Pending(0, model.Window{Lo: model.Below(1), Hi: model.Through(3)}) }, true, nil},
		"open above":     {func(st *Store) { st.Pending(0, model.Window{Hi: model.Below(3)}) }, true, nil},
		"a coin":         {func(st *Store) { st.Pending(0, model.Window{Hi: model.Below(3), Coin: true}) }, false, nil},
		"a closed hold":  {func(st *Store) { st.holdPart(st.Base(hold), model.Through(3)) }, false, []holdEnds{{Closed: true}}},
		"an open hold":   {func(st *Store) { st.holdPart(st.Base(hold), model.Below(3)) }, false, []holdEnds{{Open: true}}},
		"a hold of both": {func(st *Store) {
			st.holdPart(st.Base(hold), model.Below(3))
			st.holdPart(st.Base(hold), model.Through(2))
		}, false, []holdEnds{{true, true}}},
		"the other way round": {func(st *Store) {
			st.holdPart(st.Base(hold), model.Through(2))
			st.holdPart(st.Base(hold), model.Below(3))
		}, false, []holdEnds{{true, true}}},
		"and then closed": {func(st *Store) { st.Pending(0, model.Window{Hi: model.Below(3)}); st.Pending(0, model.By(3)) }, true, nil},
	} {
		st := stored(t, act(nil), func(_ *model.System, st *Store) { st.Coins.Tossed = true })
		c.meet(st)
		var holds []holdEnds
		for _, e := range st.Strict.Holds {
			holds = append(holds, e)
		}
		if st.Strict.Windows != c.windows || !reflect.DeepEqual(holds, c.holds) || st.Strict.Any() != (c.windows || c.holds != nil) {
			t.Errorf("%s: strict bounds of windows were met: %v; of holds: %+v; any: %v", name, st.Strict.Windows, holds, st.Strict.Any())
		}
	}
}
