package component

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/model"
	"contend/model/purity"
	"contend/model/value"
)

// told is an outcome in words: the answers on which it rests, the state that it leads to, its
// effects in order, and what else is to be said of it.
func (st *Store) told(slot int16, o Outcome) string {
	var words []string
	for _, p := range o.Picks {
		switch {
		case p.Held != 0:
			words = append(words, fmt.Sprintf("%v lasts %v", st.Decoded(st.Bases.Items[p.Held].Value), p.Lasts()))
		case p.Drawn:
			words = append(words, fmt.Sprintf("drawn %d of %d", p.Is, p.Of))
		default:
			words = append(words, fmt.Sprintf("chosen %d of %d", p.Is, p.Of))
		}
	}
	switch n := st.node(slot, o.Next).(type) {
	case *actor:
		words = append(words, fmt.Sprint("S=", n.S))
	case *watcher:
		words = append(words, fmt.Sprint("S=", n.S))
	}
	for _, e := range o.Effects {
		words = append(words, st.toldEffect(e))
	}
	for text, is := range map[string]bool{"idle": o.Idle, "violated: " + o.Violation: o.Violation != "", "witness": o.Witness} {
		if is {
			words = append(words, text)
		}
	}
	if o.Cut >= 0 {
		words = append(words, fmt.Sprint("beyond cut ", o.Cut))
	}
	return strings.Join(words, "; ")
}

func (st *Store) toldEffect(e Effect) string {
	key := func() any { return st.Decoded(st.Bases.Items[e.Base].Value) }
	kind := "hold"
	if k := st.Bases.Items[e.Base].Kind; k != Hold {
		kind = model.EventKind(k).String()
	}
	p := Part{}
	if e.Do == Send || e.Do == Arm {
		p = st.Parts.Items[e.Part]
	}
	switch e.Do {
	case Send:
		return fmt.Sprintf("send %v to %d within %d to %d", key(), st.Bases.Items[e.Base].Slot, p.Lo, p.Hi)
	case Arm:
		return fmt.Sprintf("set %s %v for %d to %d", kind, key(), p.Lo, p.Hi)
	case Disarm:
		return fmt.Sprintf("remove %s %v", kind, key())
	case Note:
		return fmt.Sprint("note ", st.Decoded(e.Arg))
	}
	return fmt.Sprint("return ", st.Decoded(e.Arg))
}

// on is the trigger of an event at p1 that brings a value.
func (st *Store) on(kind Kind, what any) uint32 {
	b := Base{Kind: kind, Value: st.Value(what)}
	if b.Sent() {
		b.From = p2
	}
	return st.Base(b)
}

// A handler is run over every branch of its choices and of the answers to Held, in order. Each
// branch is an outcome with its effects.
func TestEveryBranchIsRun(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(n *actor, env model.Env)
		want []string
	}{
		{"nothing", func(*actor, model.Env) {}, []string{"S=0; idle"}},
		{"a step", func(n *actor, _ model.Env) { n.S++ }, []string{"S=1"}},
		{"a choice", func(n *actor, env model.Env) { n.S = env.Choose(3) },
			[]string{"chosen 0 of 3; S=0", "chosen 1 of 3; S=1", "chosen 2 of 3; S=2"}},
		{"a choice of one", func(n *actor, env model.Env) { n.S = env.Choose(1) }, []string{"chosen 0 of 1; S=0"}},
		{"two choices", func(n *actor, env model.Env) { n.S = env.Choose(2)*10 + env.Choose(2) },
			[]string{"chosen 0 of 2; chosen 0 of 2; S=0", "chosen 0 of 2; chosen 1 of 2; S=1", "chosen 1 of 2; chosen 0 of 2; S=10", "chosen 1 of 2; chosen 1 of 2; S=11"}},
		{"a choice that depends on another", func(n *actor, env model.Env) {
			if n.S = env.Choose(2); n.S == 0 {
				n.S = 5 + env.Choose(2)
			}
		}, []string{"chosen 0 of 2; chosen 0 of 2; S=5", "chosen 0 of 2; chosen 1 of 2; S=6", "chosen 1 of 2; S=1"}},
		{"a draw", func(n *actor, env model.Env) { n.S = env.Draw(2) }, []string{"drawn 0 of 2; S=0", "drawn 1 of 2; S=1"}},
		{"a hold", func(n *actor, env model.Env) {
			if env.Held("lock") {
				n.S = 1
			}
		}, []string{"lock lasts true; S=1", "lock lasts false; S=0; remove hold lock"}},
		{"a hold that is asked about twice", func(n *actor, env model.Env) {
			if once := env.Held("lock"); once == env.Held("lock") {
				n.S = 1
			}
		}, []string{"lock lasts true; S=1", "lock lasts false; S=1; remove hold lock"}},
		{"two holds", func(n *actor, env model.Env) {
			if env.Held("a") && env.Held("b") {
				n.S = 1
			}
		}, []string{"a lasts true; b lasts true; S=1", "a lasts true; b lasts false; S=0; remove hold b", "a lasts false; S=0; remove hold a"}},
		{"a hold that is set here", func(n *actor, env model.Env) {
			env.Hold("lock", model.Through(2))
			if env.Held("lock") {
				n.S = 1
			}
		}, []string{"S=1; set hold lock for 0 to 2"}},
		{"a hold that is over as it begins", func(n *actor, env model.Env) {
			env.Hold("lock", model.Below(0))
			if !env.Held("lock") {
				n.S = 1
			}
		}, []string{"S=1; remove hold lock"}},
		{"effects in order", func(_ *actor, env model.Env) {
			env.After("bell", model.Between(1, 4))
			env.Send(p2, 7)
			env.Note(8)
			env.Cancel("bell")
			env.Broadcast([]model.NodeID{p1, p2}, 9)
			env.Return(6)
		}, []string{"S=0; set timeout bell for 1 to 4; send 7 to 1 within 0 to 3; note 8; remove timeout bell; send 9 to 0 within 0 to 3; send 9 to 1 within 0 to 3; return 6"}},
		{"a liar hears nothing", func(_ *actor, env model.Env) { env.Send(liar, 1) }, []string{"S=0; idle"}},
		{"effects of a branch", func(_ *actor, env model.Env) {
			if env.Choose(2) == 1 {
				env.Note(1)
			}
		}, []string{"chosen 0 of 2; S=0", "chosen 1 of 2; S=0; note 1"}},
		{"beyond a cut", func(n *actor, env model.Env) { n.S = 8 + env.Choose(2) }, []string{"chosen 0 of 2; S=8", "chosen 1 of 2; S=9; beyond cut 0"}},
	} {
		st := stored(t, act(c.do), func(s *model.System, _ *Store) {
			s.Cuts = []model.Cut{{Name: "nine", Beyond: func(n model.Node) bool { return n.(*actor).S == 9 }}}
		})
		var got []string
		for _, o := range st.Handle(st.first(p1), st.on(Kind(model.Invoke), "go")) {
			got = append(got, st.told(p1, o))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

// An event is handled by the method of its kind, in the state that is given, with what it brings.
func TestEachKindHasItsHandler(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		handler string
		from    model.NodeID
	}{
		{Boot, "Start", -1}, {Kind(model.Invoke), "Invoke", -1}, {Kind(model.Release), "Invoke", -1},
		{Kind(model.Deliver), "Receive", p2}, {Kind(model.Forge), "Receive", p2}, {Kind(model.Timeout), "Timeout", -1},
	} {
		var on string
		var by model.NodeID
		var brought any
		st := stored(t, &actor{does: func(n *actor, _ model.Env, handler string, from model.NodeID, what any) {
			on, by, brought = handler, from, what
			n.S++
		}})
		from := st.Local(p1, st.Codec.Node(&actor{S: 4}, nil))
		all := st.Handle(from, st.on(c.kind, 5))
		if on != c.handler || by != c.from || c.kind != Boot && brought != 5 || len(all) != 1 || st.node(p1, all[0].Next).(*actor).S != 5 {
			t.Errorf("%v: %s is called, from %d with %v, and leads to %s", model.EventKind(c.kind), on, by, brought, st.told(p1, all[0]))
		}
		if HandlerName(c.kind) != c.handler {
			t.Errorf("%v: the handler is called %s", model.EventKind(c.kind), HandlerName(c.kind))
		}
	}
	if HandlerName(Kind(model.Expire)) != "Expire" {
		t.Error("the handler of alarms of monitors is called " + HandlerName(Kind(model.Expire)))
	}
}

// deaf has no handler at all: nothing that happens does anything to it.
type deaf struct{ S int }

func TestWhoHasNoHandlerIsIdle(t *testing.T) {
	st := stored(t, act(nil))
	st.Protos[p1], st.Configurations[p1] = &deaf{}, purity.Configuration(&deaf{})
	for _, kind := range []model.EventKind{model.Invoke, model.Deliver, model.Timeout} {
		if all := st.Handle(st.Local(p1, st.Codec.Node(&deaf{}, nil)), st.on(Kind(kind), 1)); len(all) != 1 || !all[0].Idle {
			t.Errorf("%v: %+v", kind, all)
		}
	}
}

// A monitor is told an observation, and of its alarm; what it reports is in the outcome. It sets
// alarms of its own.
func TestMonitors(t *testing.T) {
	does := func(m *watcher, w model.Watch, on string, what any) {
		switch {
		case on == "Expire":
			w.Violate("%v rang", what)
		case what.(model.Observation).Value == 1:
			w.Witness()
			w.After("bell", model.Between(0, 2))
			m.S = 1
		}
	}
	st := stored(t, act(nil), watched(model.Always, &watcher{does: does}))
	for says, want := range map[int]string{0: "S=0; idle", 1: "S=1; set expire bell for 0 to 2; witness"} {
		seen := st.Seen.Id(Observation{Kind: model.Noted, Node: p1, Op: -1, Value: st.Value(says)})
		if all := st.Watch(st.first(monitor), seen); len(all) != 1 || st.told(monitor, all[0]) != want {
			t.Errorf("told %d: %q, want %q", says, st.told(monitor, all[0]), want)
		}
	}
	alarm := st.Base(Base{Kind: Kind(model.Expire), Slot: monitor, Value: st.Value("bell")})
	if all := st.Expire(st.first(monitor), alarm); len(all) != 1 || st.told(monitor, all[0]) != "S=0; violated: bell rang" {
		t.Errorf("its alarm: %q", st.told(monitor, all[0]))
	}
	past := st.PastID([]int32{1, 2})
	o := st.Observation(Observation{Kind: model.Invoked, Node: p2, Op: 3, Value: st.Value(4), Past: past})
	if fmt.Sprint(o) != fmt.Sprint(model.Observation{Kind: model.Invoked, Node: p2, Op: 3, Value: 4, Past: []int32{1, 2}}) {
		t.Errorf("it is told %+v", o)
	}
}

// impurity runs a handler again in as many turns as a search does, and more, and returns what is
// said of it.
func impurity(st *Store) (text string) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case model.Refusal:
			text = p.Error()
		default:
			panic(p)
		}
	}()
	from, trigger := st.first(p1), st.on(Kind(model.Deliver), letter{[]int{1}})
	once := st.Handle(from, trigger)
	for turn := range 2 * value.Turns(st.Entries) {
		st.Agree(p1, "Receive", once, st.Turned(1+turn, func() []Outcome { return st.Handle(from, trigger) }))
	}
	return ""
}

// A handler that is not a function of what it is given is found out, by what it depends on or
// changes. Runs differ in the order of a map's entries and in all that a handler keeps outside.
func TestImpureHandlersAreFound(t *testing.T) {
	unlike := "Receive of *component.actor is not deterministic: two runs on the same state differ in "
	ran := 0
	var kept model.Env
	for _, c := range []struct {
		name string
		does func(n *actor, env model.Env, m any)
		want string
	}{
		{"a function", func(n *actor, env model.Env, m any) { n.S = m.(letter).Words[0] + env.Choose(2) }, ""},
		{"its state", func(n *actor, _ model.Env, _ any) { n.S = ran }, unlike + "field S (1 and 2)"},
		{"how many choices", func(_ *actor, env model.Env, _ any) { env.Choose(ran) }, unlike + "its choices"},
		{"whether it chooses", func(_ *actor, env model.Env, _ any) {
			if ran > 1 {
				env.Choose(2)
			}
		}, unlike + "its choices"},
		{"choices within a branch", func(_ *actor, env model.Env, _ any) { env.Choose(1 + ran); env.Choose(2) }, unlike + "its choices"},
		{"its effects", func(_ *actor, env model.Env, _ any) { env.Note(ran) }, unlike + "its effects"},
		{"its first key", func(n *actor, _ model.Env, _ any) {
			for n.S = range n.Keys {
				break
			}
		}, unlike + "field S ("},
		{"its configuration", func(n *actor, _ model.Env, _ any) { n.settings.k++ },
			"Receive of *component.actor changes its configuration: unexported fields must stay as they were made, and the fields that are state must be exported"},
		{"its message", func(_ *actor, _ model.Env, m any) { m.(letter).Words[0] = 2 }, "Receive of *component.actor changes the value it was given"},
		{"an Env of before", func(_ *actor, env model.Env, _ any) {
			if kept != nil {
				kept.Note(1)
			}
			kept = env
		}, "node p1 uses its Env after the handler that it was given to has returned (component/handler_test.go:283)"},
	} {
		ran = 0
		st := stored(t, &actor{settings: &settings{}, Keys: map[int]int{1: 1, 2: 2}, does: func(n *actor, env model.Env, _ string, _ model.NodeID, m any) {
			ran++
			c.does(n, env, m)
		}})
		if got := impurity(st); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The maps of a handler are made in a turn for as long as it runs, however it ends.
func TestTurnsEnd(t *testing.T) {
	st := stored(t, act(nil))
	for _, fails := range []bool{false, true} {
		during := 0
		_ = misuse(func() {
			st.Turned(3, func() []Outcome {
				if during = st.turn; fails {
					model.Refuse("it fails")
				}
				return nil
			})
		})
		if during != 3 || st.turn != 0 {
			t.Errorf("it fails %v: the turn is %d, and then %d", fails, during, st.turn)
		}
	}
}
