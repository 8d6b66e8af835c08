package component

import (
	"reflect"
	"strings"
	"testing"

	"contend/model"
	"contend/model/guard"
	"contend/model/purity"
	"contend/model/value"
)

// A chronicle is a node whose states rest on histories.
type chronicle struct {
	actor
	saved    string
	recalled *string
}

func (c *chronicle) Histories(*value.Codec) []byte           { return []byte(c.saved) }
func (c *chronicle) Recall(_ *value.Codec, histories []byte) { *c.recalled = string(histories) }

// The histories of every node that has some are saved, and given back to the same node.
func TestHistoriesAreSaved(t *testing.T) {
	st := stored(t, act(nil))
	var first, second string
	plain := st.Protos[p2]
	st.Protos = []any{&chronicle{saved: "of the first", recalled: &first}, plain, &chronicle{saved: "of the last", recalled: &second}}
	saved := st.Save()
	if want := [][]byte{[]byte("of the first"), nil, []byte("of the last")}; !reflect.DeepEqual(saved.Histories, want) {
		t.Errorf("saved are %q", saved.Histories)
	}
	if st.Restore(&saved); first != "of the first" || second != "of the last" {
		t.Errorf("given back are %q and %q", first, second)
	}
}

// Two runs agree if both fail, whatever they say, and not if one does; each of their outcomes counts.
func TestAgreement(t *testing.T) {
	st := stored(t, act(nil))
	from, fails := st.first(p1), func(how string) *guard.Failure { return &guard.Failure{How: how} }
	same := Outcome{Next: from, Cut: -1}
	for name, c := range map[string]struct {
		a, b Outcome
		want string
	}{
		"the same":         {same, same, ""},
		"both fail":        {Outcome{Next: from, Cut: -1, Failed: fails("at 1")}, Outcome{Next: from, Cut: -1, Failed: fails("at 2")}, ""},
		"the first fails":  {Outcome{Next: from, Cut: -1, Failed: fails("x")}, same, "whether it fails"},
		"the second fails": {same, Outcome{Next: from, Cut: -1, Failed: fails("x")}, "whether it fails"},
		"effects":          {same, Outcome{Next: from, Cut: -1, Effects: []Effect{{Do: Note}}}, "its effects"},
		"both fail otherwise": {
			Outcome{Next: from, Cut: -1, Failed: fails("x"), Picks: []Pick{{Of: 2}}}, Outcome{Next: from, Cut: -1, Failed: fails("x")}, "its choices",
		},
	} {
		for _, before := range []int{0, 1, 2} {
			var first, again []Outcome
			for range before {
				first, again = append(first, same), append(again, same)
			}
			text := refusal(func() { st.Agree(p1, "Receive", append(first, c.a), append(again, c.b)) })
			if !strings.HasSuffix(text, c.want) || (text == "") != (c.want == "") {
				t.Errorf("%s, behind %d: %q, want %q", name, before, text, c.want)
			}
		}
	}
}

// refusal is what is said of an impure handler.
func refusal(run func()) (text string) {
	defer func() {
		if p, ok := recover().(model.Refusal); ok {
			text = p.Error()
		}
	}()
	run()
	return ""
}

// The first cut that a node's state is beyond is noted, as the interpreter does; a monitor's state is beyond none.
func TestCutsOfNodes(t *testing.T) {
	beyond := func(s int) model.Cut {
		return model.Cut{Name: "s", Beyond: func(n model.Node) bool { return n.(*actor).S == s }}
	}
	cuts := func(s *model.System, _ *Store) { s.Cuts = []model.Cut{beyond(1), beyond(2), beyond(2)} }
	for s, want := range map[int]int{0: -1, 1: 0, 2: 1} {
		st := stored(t, act(func(n *actor, _ model.Env) { n.S = s }), cuts, watched(model.Always, &watcher{does: func(*watcher, model.Watch, string, any) {}}))
		if all := st.Handle(st.first(p1), st.on(Kind(model.Invoke), 1)); all[0].Cut != want {
			t.Errorf("S=%d: beyond cut %d, want %d", s, all[0].Cut, want)
		}
		seen := st.Seen.Id(Observation{Kind: model.Noted, Node: p1, Op: -1, Value: st.Value(1)})
		if all := st.Watch(st.first(monitor), seen); all[0].Cut != -1 || all[0].Failed != nil {
			t.Errorf("a monitor is beyond cut %d, %v", all[0].Cut, all[0].Failed)
		}
	}
}

// A message goes from its sender to its receiver, within the window of that way; a claim about costs is told of it.
func TestMessagesHaveDirections(t *testing.T) {
	for _, told := range []bool{false, true} {
		st := stored(t, act(func(_ *actor, env model.Env) { env.Send(p2, env.Self()) }), func(s *model.System, st *Store) {
			s.Network.Delays = func(from, to model.NodeID) model.Window { return model.Between(model.Ticks(10*from+to), 100) }
			*st = *NewStore(s, nil, []model.Claim{
				{Name: "other", Kind: model.Measured, Cost: &model.Cost{}, Monitor: func(*model.System) model.Monitor { return &watcher{} }},
				{Name: "sends", Kind: model.Measured, Cost: &model.Cost{Sends: told}, Monitor: func(*model.System) model.Monitor { return &watcher{} }},
				{Name: "none", Monitor: func(*model.System) model.Monitor { return &watcher{} }},
			}, true, Closing)
		})
		effects := st.Handle(st.first(p1), st.on(Kind(model.Invoke), 1))[0].Effects
		base := st.Bases.Items[effects[0].Base]
		if part := st.Parts.Items[effects[0].Part]; base.Slot != p2 || base.From != p1 || part.Lo != p2 || part.Hi != 100 {
			t.Errorf("it is %+v, %+v", base, part)
		}
		if len(effects) != map[bool]int{false: 1, true: 2}[told] || told && (effects[1].Do != Tell || effects[1].Base != effects[0].Base) {
			t.Errorf("a claim is to be told %v: %+v", told, effects)
		}
	}
}

// While a handler runs it says which it is, what it was given, and in which state.
func TestRunningIsNamed(t *testing.T) {
	var during []string
	var st *Store
	note := func() { during = append(during, st.Running.Now().Who.Describe()) }
	n := act(func(n *actor, _ model.Env) { n.S = 9; note() })
	n.S = 4
	st = stored(t, n, watched(model.Always, &watcher{does: func(*watcher, model.Watch, string, any) { note() }}))
	st.Running = &guard.Cell{}
	st.Handle(st.first(p1), st.on(Kind(model.Deliver), letter{[]int{7}}))
	st.Watch(st.first(monitor), st.Seen.Id(Observation{Kind: model.Noted, Node: p1, Op: -1, Value: st.Value(6)}))
	st.Expire(st.first(monitor), st.Base(Base{Kind: Kind(model.Expire), Slot: monitor, Value: st.Value(8)}))
	want := [][]string{{"Receive of p1", "7", "S: 4"}, {"Observe of claim watched", "6"}, {"Expire of claim watched", "8"}}
	if len(during) != len(want) {
		t.Fatalf("%q", during)
	}
	for i, parts := range want {
		for _, part := range parts {
			if !strings.Contains(during[i], part) {
				t.Errorf("%q has no %q", during[i], part)
			}
		}
	}
}

// A listener is told of failure detectors.
type listener struct{ actor }

func (n *listener) Suspect(env model.Env, node model.NodeID) {
	n.does(&n.actor, env, "Suspect", -1, node)
}
func (n *listener) Trust(env model.Env, node model.NodeID) { n.does(&n.actor, env, "Trust", -1, node) }

// Reports of failure detectors have their handlers; each handler has its name; what it delivers and who it is are right.
func TestReports(t *testing.T) {
	n := &listener{actor{settings: &settings{}}}
	n.does = func(_ *actor, env model.Env, on string, _ model.NodeID, what any) {
		env.Deliver(on + " " + string(rune('0'+what.(model.NodeID))) + string(rune('a'+env.Self())))
	}
	st := stored(t, act(nil))
	st.Protos[p2], st.Configurations[p2] = n, purity.Configuration(n)
	from := st.Local(p2, st.Codec.Node(n, nil))
	for kind, name := range map[model.EventKind]string{
		model.Suspect: "Suspect", model.Trust: "Trust",
	} {
		b := st.Base(Base{Kind: Kind(kind), Slot: p2, Value: st.Value(model.NodeID(3))})
		all := st.Handle(from, b)
		if len(all) != 1 || len(all[0].Effects) != 1 || all[0].Effects[0].Do != Deliver || st.Decoded(all[0].Effects[0].Arg) != name+" 3b" {
			t.Errorf("%s: %+v", name, all)
		}
		if HandlerName(Kind(kind)) != name {
			t.Errorf("%s is called %s", name, HandlerName(Kind(kind)))
		}
	}
	for kind, name := range map[Kind]string{
		Boot: "Start", Kind(model.Timeout): "Timeout", Kind(model.Expire): "Expire", Kind(model.Invoke): "Invoke", Kind(model.Release): "Invoke",
		Kind(model.Deliver): "Receive", Kind(model.Forge): "Receive",
	} {
		if HandlerName(kind) != name {
			t.Errorf("kind %d is handled by %s, not %s", kind, HandlerName(kind), name)
		}
	}
}

// The components with number 0 are none, and no other has their numbers or their prints.
func TestNoneIsNoOther(t *testing.T) {
	st := stored(t, act(nil))
	if st.Local(0, nil) == 0 || st.Base(Base{}) == 0 || st.Triggers[0] != 0 {
		t.Errorf("a component of the first node is none, or the trigger of none is %d", st.Triggers[0])
	}
	prints := map[any]bool{}
	kinds := []Kind{Kind(model.Deliver), Delivered, Kind(model.Timeout), Kind(model.Forge), Kind(model.Invoke), Hold}
	for _, kind := range kinds {
		for _, optional := range []bool{false, true} {
			b := st.Base(Base{Kind: kind, Optional: optional, Slot: p2, From: p1})
			prints[st.Flats[st.Part(Part{Base: b, Hi: 3})].Print] = true
		}
		if sent := kind == Kind(model.Deliver) || kind == Delivered || kind == Kind(model.Forge); (&Base{Kind: kind}).Sent() != sent {
			t.Errorf("kind %d comes from a node: %v", kind, !sent)
		}
	}
	if len(prints) != 2*len(kinds) {
		t.Errorf("%d prints of %d parts", len(prints), 2*len(kinds))
	}
	held := stored(t, act(func(_ *actor, env model.Env) { env.Held("a"); env.Draw(2) }))
	for _, o := range held.Handle(held.first(p1), held.on(Kind(model.Invoke), 1)) {
		if o.Picks[0].Drawn || !o.Picks[1].Drawn {
			t.Errorf("an answer of Held is drawn, or a draw is not: %+v", o.Picks)
		}
	}
}
