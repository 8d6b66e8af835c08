package component

import (
	"slices"
	"strings"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/zone"
	"contend/model"
	"contend/model/guard"
	"contend/model/purity"
)

// Outcomes are the same when every field is, the words of a failure aside, and differ when one does;
// the shape tells which kinds of things an outcome has.
func TestOutcomesDifferInAnyField(t *testing.T) {
	failed := &guard.Failure{}
	kinds := map[string]func(o *Outcome){
		"next":      func(o *Outcome) { o.Next = 8 },
		"picks":     func(o *Outcome) { o.Picks = []Pick{{Of: 2}} },
		"effects":   func(o *Outcome) { o.Effects = []Effect{{Do: Tell}} },
		"cut":       func(o *Outcome) { o.Cut = 0 },
		"idle":      func(o *Outcome) { o.Idle = true },
		"violation": func(o *Outcome) { o.Violation = "no" },
		"witness":   func(o *Outcome) { o.Witness = true },
		"measured":  func(o *Outcome) { o.Measured = 1 },
		"finishes":  func(o *Outcome) { o.Finishes = true },
		"until":     func(o *Outcome) { o.Until = 1 },
		"failed":    func(o *Outcome) { o.Failed = failed },
	}
	plain := Outcome{Next: 7, Cut: -1}
	shapes := map[uint32]string{}
	for name, change := range kinds {
		one, again := plain, plain
		change(&one)
		change(&again)
		if one.equal(plain) || plain.equal(one) || !one.equal(again) || !plain.equal(plain) {
			t.Errorf("%s: an outcome is the same as one that differs in it, or not as itself", name)
		}
		if shape := one.Shape(7); name == "idle" || name == "finishes" || name == "until" {
			if shape != 0 {
				t.Errorf("%s: the shape is %b", name, shape)
			}
		} else if other, known := shapes[shape]; known || shape == 0 {
			t.Errorf("%s: the shape is %b, as that of %q", name, shape, other)
		} else {
			shapes[shape] = name
		}
	}
	many := plain
	many.Effects = []Effect{{Do: Send}, {Do: Note}, {Do: Send}}
	if got, want := many.Shape(7), uint32(1<<Send|1<<Note); got != want || plain.Shape(7) != 0 || plain.Shape(8) == 0 {
		t.Errorf("the shape of effects is %b, want %b", got, want)
	}
}

// An outcome tells how many questions came before the return: all, if there is none.
func TestQuestionsBeforeTheReturn(t *testing.T) {
	for _, c := range []struct {
		do   func(n *actor, env model.Env)
		want int
	}{
		{func(_ *actor, env model.Env) { env.Choose(1); env.Choose(1) }, 2},
		{func(_ *actor, env model.Env) { env.Choose(1); env.Return(1); env.Choose(1) }, 1},
		{func(_ *actor, env model.Env) { env.Return(1); env.Choose(1) }, 0},
	} {
		st := stored(t, act(c.do))
		if all := st.Handle(st.first(p1), st.on(Kind(model.Invoke), 1)); len(all) != 1 || all[0].Until != c.want {
			t.Errorf("%+v, want %d questions before the return", all, c.want)
		}
	}
}

// A handler that is asked for a branch and asks otherwise than before strays, in whichever question and
// whether it asks another or fewer; the first run says nothing.
func TestStraying(t *testing.T) {
	ran := 0
	for name, c := range map[string]struct {
		does   func(env model.Env)
		strays bool
	}{
		"the same":       {func(env model.Env) { env.Choose(2) }, false},
		"another number": {func(env model.Env) { env.Choose(1 + min(ran, 2)); env.Choose(2) }, true},
		"the first":      {func(env model.Env) { env.Choose(min(ran, 2)); env.Choose(2) }, true},
		"drawn": {func(env model.Env) {
			if ran == 1 {
				env.Choose(2)
			} else {
				env.Draw(2)
			}
		}, true},
		"fewer": {func(env model.Env) {
			if ran == 1 {
				env.Choose(2)
			}
		}, true},
	} {
		ran = 0
		st := stored(t, act(func(_ *actor, env model.Env) { ran++; c.does(env) }))
		text := refusal(func() { st.Handle(st.first(p1), st.on(Kind(model.Invoke), 1)) })
		if (text != "") != c.strays || c.strays && ran != 2 {
			t.Errorf("%s: after %d runs it is said %q", name, ran, text)
		}
	}
}

// That a handler leaves its configuration alone is checked up to a turn, that one included.
func TestWhenTheConfigurationIsChecked(t *testing.T) {
	for turn := range LastChecked + 2 {
		n := &actor{settings: &settings{}}
		n.does = func(n *actor, _ model.Env, _ string, _ model.NodeID, _ any) { n.settings.k++ }
		st := stored(t, n)
		text := refusal(func() {
			st.Turned(turn, func() []Outcome { return st.Handle(st.first(p1), st.on(Kind(model.Invoke), 1)) })
		})
		if (text != "") != (turn <= LastChecked) {
			t.Errorf("in turn %d it is said %q", turn, text)
		}
	}
}

// A monitor that is put to the test is not idle, nor one that measures; one without a handler for its
// alarm, and a node without Start, are.
func TestWhoIsIdle(t *testing.T) {
	for name, do := range map[string]func(w model.Watch){
		"witness": func(w model.Watch) { w.Witness() }, "measure": func(w model.Watch) { w.Measure(0) }, "nothing": func(model.Watch) {},
	} {
		st := stored(t, act(nil), watched(model.Always, &watcher{does: func(_ *watcher, w model.Watch, _ string, _ any) { do(w) }}))
		o := st.Watch(st.first(monitor), st.Seen.Id(Observation{Kind: model.Noted, Node: p1, Value: st.Value(1)}))[0]
		if o.Idle != (name == "nothing") || o.Witness != (name != "nothing") || (o.Measured == 1) != (name == "measure") {
			t.Errorf("%s: %+v", name, o)
		}
	}
	st := stored(t, act(nil), func(_ *model.System, st *Store) {
		st.Claims = []model.Claim{{Name: "watched", Monitor: func(*model.System) model.Monitor { return &blind{} }}}
	})
	if o := st.Expire(st.first(monitor), st.Base(Base{Kind: Kind(model.Expire), Slot: monitor, Value: st.Value("bell")})); len(o) != 1 || !o[0].Idle {
		t.Errorf("a monitor without a handler: %+v", o)
	}
	st.Protos[p1], st.Configurations[p1] = &deaf{}, purity.Configuration(&deaf{})
	if o := st.Handle(st.Local(p1, st.Codec.Node(&deaf{}, nil)), st.on(Boot, nil)); len(o) != 1 || !o[0].Idle {
		t.Errorf("a node without Start: %+v", o)
	}
}

// blind has no handler for alarms.
type blind struct{ S int }

func (m *blind) Observe(model.Watch, model.Observation) {}

// A meter that measures what is no number, or twice, or late, fails.
func TestMisuseOfMeasure(t *testing.T) {
	var kept model.Watch
	for name, c := range map[string]struct {
		do   func(w model.Watch)
		want string
	}{
		"a number": {func(w model.Watch) { w.Measure(3); kept = w }, ""},
		"none":     {func(w model.Watch) { w.Measure(-1) }, "claim watched measures -1"},
		"two":      {func(w model.Watch) { w.Measure(1); w.Measure(2) }, "claim watched measures 2"},
	} {
		st := stored(t, act(nil), watched(model.Always, &watcher{does: func(_ *watcher, w model.Watch, _ string, _ any) { c.do(w) }}))
		o := st.Watch(st.first(monitor), st.Seen.Id(Observation{Kind: model.Noted, Node: p1, Value: st.Value(1)}))[0]
		if (o.Failed != nil) != (c.want != "") || o.Failed != nil && !strings.Contains(o.Failed.String(), c.want) || o.Failed == nil && o.Measured != 4 {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if text := refusal(func() { kept.Measure(1) }); text != "claim watched uses its Env after the handler that it was given to has returned (component/fields_test.go:169)" {
		t.Errorf("measured late: %q", text)
	}
}

// A coin needs an end, and a whole tick between its bounds.
func TestCoinsThatCannotBeTossed(t *testing.T) {
	for name, c := range map[string]struct {
		w    model.Window
		fits bool
	}{
		"one tick":       {model.Uniform(2, 2), true},
		"open, and one":  {model.Window{Lo: model.Below(1), Hi: model.Below(3), Coin: true}, true},
		"open, and none": {model.Window{Lo: model.Below(1), Hi: model.Below(2), Coin: true}, false},
		"no end":         {model.Window{Hi: model.Anytime().Hi, Coin: true}, false},
		"a closed one":   {model.Window{Hi: model.Bound{At: model.Forever}, Coin: true}, false},
	} {
		st := stored(t, act(nil), func(_ *model.System, st *Store) { st.Coins.Tossed = true })
		text := refusal(func() { st.Pending(st.Base(st.message(1)), c.w) })
		if (text == "") != c.fits {
			t.Errorf("%s: it is said %q", name, text)
		}
	}
	for against, want := range map[model.Adversary]string{model.Adaptive: "an adaptive", model.Nonadaptive: "a nonadaptive"} {
		if got := (Coins{Against: against}).Adversary(); got != want {
			t.Errorf("the adversary is %s, want %s", got, want)
		}
	}
}

// Dense time counts to a bound, and has windows without an end.
func TestBoundsInDenseTime(t *testing.T) {
	for w, fits := range map[model.Window]bool{
		model.Anytime(): true, model.By(zone.MaxTicks): true, model.By(zone.MaxTicks + 1): false, model.Between(zone.MaxTicks+1, zone.MaxTicks+2): false,
	} {
		st := stored(t, act(nil), func(_ *model.System, st *Store) { st.Dense = true })
		if text := refusal(func() { st.Pending(st.Base(st.message(1)), w) }); (text == "") != fits {
			t.Errorf("%v: it is said %q", w, text)
		}
	}
}

// The print of a local state has all of its slot.
func TestPrintsOfManySlots(t *testing.T) {
	met := map[fingerprint.Print]int16{}
	for _, slot := range []int16{0, 1, 2, 255, 256, 257, 512, 513, 1 << 10, 1 << 14} {
		p := LocalPrint(slot, []byte("s"))
		if other, known := met[p]; known {
			t.Errorf("slots %d and %d have one print", slot, other)
		}
		met[p] = slot
	}
}

// A part's flat fields are its own and its base's; a store begins with what it is given, and interns once;
// the print of a past stays with its number; and the largest map that was decoded is noted.
func TestSmallThings(t *testing.T) {
	st := stored(t, act(nil))
	b := Base{Kind: 7, Optional: true, Slot: 1, From: 2, Op: 3, Pos: 4, Value: st.Value(5)}
	p := Part{Base: st.Base(b), Lo: 6, Hi: 8, Coin: true}
	f := st.Flats[st.Part(p)]
	f.Print = fingerprint.Print{}
	if want := (Flat{Kind: 7, Optional: true, Slot: 1, From: 2, Pos: 4, Base: p.Base, Trigger: st.Triggers[p.Base], Lo: 6, Hi: 8, Coin: true}); f != want {
		t.Errorf("it is %+v, want %+v", f, want)
	}
	n := NewIntern("a", "b")
	if len(n.Items) != 2 || n.Id("b") != 1 || n.Id("c") != 2 || n.Id("a") != 0 || !slices.Equal(n.Items, []string{"a", "b", "c"}) {
		t.Errorf("interned are %v", n.Items)
	}
	for range 2 {
		for k := range int32(3) {
			id := st.PastID([]int32{k, 1})
			if got := st.Past(id); !slices.Equal(got, []int32{k, 1}) || len(st.PastPrints) > int(id)+3 {
				t.Errorf("past %d is %v, and there are %d prints", id, got, len(st.PastPrints))
			}
		}
	}
	if len(st.PastPrints) != 4 {
		t.Errorf("three pasts, and none, have %d prints", len(st.PastPrints))
	}
	st.Entries = 0
	full := st.Local(p1, st.Codec.Node(&actor{Keys: map[int]int{1: 1, 2: 2, 3: 3}}, nil))
	if st.node(p1, full); st.Entries != 3 {
		t.Errorf("the largest map has %d entries", st.Entries)
	}
	if st.node(p1, st.first(p1)); st.Entries != 3 {
		t.Errorf("the largest map has %d entries", st.Entries)
	}
	st.Entries = 0
	if st.Decoded(st.Value(box{map[int]int{1: 1, 2: 2}})); st.Entries != 2 {
		t.Errorf("the largest map has %d entries", st.Entries)
	}
}

// A box is a value with a map.
type box struct{ M map[int]int }

// A node comes back with its stable fields, and as it was made in all others; one without stable fields as it
// was made. What it comes back as depends on nothing else.
func TestWhoComesBack(t *testing.T) {
	st := stored(t, act(nil), func(s *model.System, _ *Store) { s.Nodes[p2].New = func() model.Node { return &durable{Other: 5} } })
	st.Protos[p2] = &durable{Other: 5}
	state := func(n *durable) uint32 { return st.Local(p2, st.Codec.Node(n, nil)) }
	part := st.Stored(p2, state(&durable{Log: []int{1, 2}, Other: 9}))
	if st.Reborn(part) != state(&durable{Log: []int{1, 2}, Other: 5}) {
		t.Errorf("it comes back as %+v", st.node(p2, st.Reborn(part)))
	}
	if same := st.Stored(p2, state(&durable{Log: []int{1, 2}, Other: 7})); same != part {
		t.Error("what is lost makes a difference")
	}
	if other := st.Stored(p2, state(&durable{Log: []int{1}})); other == part {
		t.Error("what is stable makes none")
	}
	if f := st.Flats[part]; f.Kind != Stored || f.Slot != p2 || f.Hi != Endless {
		t.Errorf("what is stored is %+v", f)
	}
	plain := st.Stored(p1, st.Local(p1, st.Codec.Node(&actor{S: 8}, nil)))
	if st.Reborn(plain) != st.first(p1) || plain != st.Stored(p1, st.first(p1)) {
		t.Error("a node without stable fields comes back otherwise than it was made")
	}
}

// durable has a log that lasts.
type durable struct {
	Log   []int `contend:"stable"`
	Other int
}

func (n *durable) Receive(model.Env, model.NodeID, any) {}
