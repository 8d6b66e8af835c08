package step

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/lab/random"
	"contend/model"
)

// A chatty node answers messages, and hands values up; which of two it does is no function of what it is given if it is fickle.
type chatty struct {
	fickle bool

	Last any
}

// calls are those of handlers that do not agree with themselves.
var calls int

func (c *chatty) Receive(env model.Env, _ model.NodeID, m any) {
	if c.Last = m; c.fickle {
		if calls++; calls%2 == 0 {
			c.Last = "another"
		}
	}
	if env.Note("told"); m == "deliver" {
		env.Deliver("up")
	}
}

func (c *chatty) Timeout(model.Env, any) { c.Last = "it rang" }

// wavers is a monitor that is no function of what it is told.
type wavers struct{ S int }

func (m *wavers) Observe(model.Watch, model.Observation) {
	calls++
	m.S = calls % 2
}

// chatting are two such nodes.
func chatting(fickle bool) *model.System {
	s := &model.System{Network: model.Network{Delay: model.Anytime()}, Types: []any{"", 0}}
	for k := range 2 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("c", k), Role: model.Peer, New: func() model.Node { return &chatty{fickle: fickle} }})
	}
	return s
}

// What the search rests on is computed twice, and once more at the end: a handler that does not agree with itself is found, by its name.
func TestWhatDoesNotAgree(t *testing.T) {
	claim := model.Claim{Name: "wavers", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &wavers{} }}
	for _, c := range []struct {
		name   string
		fickle bool
		claims []model.Claim
		want   string
	}{
		{"a node", true, nil, "Receive of *step.chatty is not deterministic"},
		{"a monitor", false, []model.Claim{claim}, "Observe of *step.wavers is not deterministic"},
	} {
		w := working(t, chatting(c.fickle), untimed, c.claims...)
		e, of, by := w.Engine, w.Made[1], w.Store.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: 1, Value: w.Value("hello")})
		watches := c.claims != nil
		if watches {
			of, by = w.Made[2], w.Store.Seen.Id(component.Observation{Kind: model.Noted, Op: -1})
		}
		for _, when := range []struct {
			name string
			how  func()
		}{
			{"as it is taken", func() {
				if watches {
					w.reactWatch(of, by)
				} else {
					w.React(of, by)
				}
			}},
			{"once more", func() {
				a := Call{from: of, trigger: by, monitor: watches}
				if watches {
					a.result = e.lookupWatch(of, by)
				} else {
					a.result = e.lookup(of, by)
				}
				calls++
				e.Repeat(&a, 2)
			}},
		} {
			if text := FailureOf(when.how); !strings.Contains(text, c.want) {
				t.Errorf("%s, %s: it %q, and not %q", c.name, when.name, text, c.want)
			}
		}
	}
}

// What was asked is not computed again, unless nothing is to be remembered; a worker counts what it looks up, and the engine the calls.
func TestWhatIsComputedAgain(t *testing.T) {
	m := model.Claim{Name: "counts", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &counter{} }}
	w := working(t, chatting(false), untimed, m)
	heard := w.Store.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: 1, Value: w.Value("hello")})
	seen := w.Store.Seen.Id(component.Observation{Kind: model.Noted, Node: 1, Op: -1, Value: w.Value("told")})
	for i, c := range []struct {
		anew  bool
		calls int64 // of the handler, and of the monitor
	}{{false, 2}, {false, 2}, {true, 6}, {true, 10}, {false, 10}} {
		w.NoCache = c.anew
		if r := w.React(w.Made[1], heard); r.outcomes[0].Next == w.Made[1] {
			t.Errorf("call %d: nothing is heard", i)
		}
		if r := w.reactWatch(w.Made[2], seen); r.outcomes[0].Next == w.Made[2] {
			t.Errorf("call %d: nothing is seen", i)
		}
		if w.Calls != c.calls || w.Lookups != int64(2*i+2) {
			t.Errorf("call %d: %d calls and %d lookups", i, w.Calls, w.Lookups)
		}
	}
	of, why := w.Probe(w.Made[1], heard)
	again, _ := w.Probe(w.Made[1], heard)
	watched, _ := w.ProbeWatch(w.Made[2], seen)
	if then, _ := w.ProbeWatch(w.Made[2], seen); why != "" || of == watched || of != again || watched != then || len(w.Engine.AllResults) != 2 {
		t.Errorf("%q: results %d, %d, %d and %d, of %d", why, of, again, watched, then, len(w.Engine.AllResults))
	}
}

// That a handler fails where it is only asked what it would do is remembered, of that state and message.
func TestWhatFailedIsRemembered(t *testing.T) {
	w := working(t, chatting(true), untimed)
	by := w.Store.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: 1, Value: w.Value("hello")})
	first := w.ProbeTaken(w.Made[1], by)
	if !strings.Contains(first, "Receive of *step.chatty is not deterministic") {
		t.Fatalf("it %q", first)
	}
	before := calls
	if i, why := w.Probe(w.Made[1], by); i != 0 || why != first || w.ProbeTaken(w.Made[1], by) != first || calls != before {
		t.Errorf("result %d, it %q, after %d more calls", i, why, calls-before)
	}
	other := w.Store.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: 1, Value: w.Value("deliver")})
	if w.Probe(w.Made[1], other); calls == before {
		t.Error("on another message it is not asked")
	}
}

// Results are of one kind where a node or monitor of the same type is given the same kind of thing, and the same sorts of things come of it.
func TestKinds(t *testing.T) {
	m := model.Claim{Name: "counts", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &counter{} }}
	w := working(t, chatting(false), untimed, m)
	base := func(kind model.EventKind, slot int16, value any) uint32 {
		return w.Store.Base(component.Base{Kind: component.Kind(kind), Slot: slot, Value: w.Value(value)})
	}
	for _, slot := range []int16{0, 1} {
		w.React(w.Made[slot], base(model.Deliver, slot, "hello"))
		w.React(w.Made[slot], base(model.Deliver, slot, 5)) // another type
		w.React(w.Made[slot], base(model.Timeout, slot, "hello"))
		w.React(w.Made[slot], base(model.Deliver, slot, "deliver")) // something else comes of it
	}
	for _, node := range []int16{0, 1} {
		for _, kind := range []model.ObservationKind{model.Noted, model.Delivered} {
			w.reactWatch(w.Made[2], w.Store.Seen.Id(component.Observation{Kind: kind, Node: node, Op: -1, Value: w.Value("x")}))
		}
		w.reactWatch(w.Made[2], w.Store.Seen.Id(component.Observation{Kind: model.Noted, Node: node, Op: -1, Value: w.Value(7)}))
	}
	var got [][]uint32
	for _, kind := range w.Kinds(w.Engine.Reactions()) {
		var of []uint32
		for _, a := range kind {
			of = append(of, a.result)
		}
		got = append(got, of)
	}
	want := [][]uint32{{13, 10}, {12, 9}, {11, 8}, {7, 3}, {6, 2}, {5, 1}, {4, 0}} // the last result first
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the kinds are %v, and not %v", got, want)
	}
}

// keeper absorbs nothing, and keeps what it is told.
type keeper struct {
	goes    map[[2]uint32]bool
	cleaned int
	takes   func(v []uint32) []uint32
}

func (k *keeper) Transition(from, to uint32) { k.goes[[2]uint32{from, to}] = true }

func (k *keeper) Clean(v []uint32) []uint32 {
	if k.cleaned++; k.takes != nil {
		return k.takes(v)
	}
	return v
}

// Absorption is told of each local transition that the search takes, by whatever a node's handler is called; to it each state in which a node
// may be once it is back follows that in which it crashed. It is handed each successor.
func TestTransitionsAreTold(t *testing.T) {
	told, back := 0, 0
	follow := func(name string, s *model.System) {
		w := working(t, s, untimed)
		k := &keeper{goes: map[[2]uint32]bool{}}
		w.Absorb = k
		var from []uint32
		var states [][]uint32
		met, crashed, wanted, emitted := map[fingerprint.Print]bool{}, map[uint32]map[uint32]bool{}, map[[2]uint32]bool{}, 0
		w.Emit = func(next []uint32) {
			emitted++
			v := slices.Clone(next)
			SortParts(v[w.Head:])
			for i := range w.N {
				switch {
				case from == nil || from[i] == v[i]:
				case v[i] == component.Down:
					if at := w.findRestart(v, i); at >= 0 {
						if crashed[v[at]] == nil {
							crashed[v[at]] = map[uint32]bool{}
						}
						crashed[v[at]][from[i]] = true
					}
				case from[i] == component.Down:
					for before := range crashed[from[w.findRestart(from, i)]] {
						wanted[[2]uint32{before, v[i]}] = true
						back++
					}
				default:
					wanted[[2]uint32{from[i], v[i]}] = true
				}
			}
			if !met[w.Sum] {
				met[w.Sum] = true
				states = append(states, v)
			}
		}
		w.Initial()
		for n := 0; n < len(states) && n < 60; n++ {
			from = states[n]
			w.Expand(from, w.PrintOfState(from))
		}
		for step := range wanted {
			if told++; !k.goes[step] {
				t.Fatalf("%s: it is not told of %v, but of %v", name, step, k.goes)
			}
		}
		for step := range k.goes {
			if w.Store.Locals.Items[step[0]].Slot != w.Store.Locals.Items[step[1]].Slot {
				t.Fatalf("%s: it is told of %v, of two nodes", name, step)
			}
		}
		if k.cleaned != emitted {
			t.Fatalf("%s: %d successors, of which it is handed %d", name, emitted, k.cleaned)
		}
	}
	for _, seed := range seeds(t)[:200] {
		if it := random.Draw(seed); it.Reading == model.Untimed {
			follow(fmt.Sprintf("seed %d", seed), it.System)
		}
	}
	for seed := range uint64(20) {
		s := random.System(rand.New(rand.NewPCG(seed, 4)), true)
		for i := range s.Nodes {
			s.Nodes[i].Crash = model.CrashStopRecovery
		}
		s.Faults.Restarts = 1
		follow(fmt.Sprintf("machines %d", seed), s)
	}
	if told < 500 || back < 20 {
		t.Errorf("only %d transitions, and %d of nodes that are back", told, back)
	}
}

// What absorption takes away is not in a successor.
func TestWhatIsAbsorbed(t *testing.T) {
	w := working(t, system(model.Peer, model.Anytime(), node{begins: func(env model.Env) {
		env.Send(0, 1)
		env.Send(0, 2)
		env.Send(0, 3)
	}, hears: func(n *node, _ model.Env, m any) { n.S += m.(int) }}), untimed)
	v := first(t, w)
	w.Absorb = &keeper{goes: map[[2]uint32]bool{}, takes: func(v []uint32) []uint32 { return w.Cut(v, w.Head) }}
	var got []string
	for _, s := range next(w, v) {
		if got = append(got, shown(w, s.v)); s.sum != w.PrintOfState(s.v) {
			t.Errorf("the print of %s is not the sum of its parts", got[len(got)-1])
		}
	}
	if want := []string{"1 [deliver 3]", "2 [deliver 3]", "3 [deliver 2]"}; !slices.Equal(got, want) {
		t.Errorf("it is %q, and not %q", got, want)
	}
}

// A liar says all that it may, to whoever can hear it, and what makes a difference there; so it is where successors are drafts.
func TestLies(t *testing.T) {
	s := system(model.Peer, model.Anytime(), node{hears: func(n *node, env model.Env, m any) {
		if n.S += m.(int); m == 4 {
			env.Send(0, 7)
			env.Send(0, 8)
		}
	}}, node{hears: func(n *node, _ model.Env, m any) { n.S -= m.(int) }}, node{}, node{})
	s.Nodes[2].New, s.Nodes[2].Byzantine = nil, true
	s.Nodes[3].New, s.Nodes[3].Byzantine = nil, true
	s.Forge = func(_ model.Node, _, from model.NodeID) []any { return [][]any{{0, 1, 2}, {0, 4}}[from-2] }
	w := working(t, s, untimed)
	v := first(t, w)
	for _, drafts := range []bool{false, true} {
		var got []string
		w.Sketch = nil
		if drafts {
			w.Sketch = func(d Draft) {
				if v := d.Make(nil); w.Sum == w.PrintOfState(v) {
					got = append(got, shown(w, v))
				}
			}
		}
		for _, s := range next(w, v) {
			got = append(got, shown(w, s.v))
		}
		want := []string{"0 -1 down down []", "0 -2 down down []", "0 -4 down down []", "1 0 down down []", "2 0 down down []", "4 0 down down [deliver 7 deliver 8]"}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("drafts %v: %q, and not %q", drafts, got, want)
		}
	}
}

// Something moves where a monitor's alarm expires and something of the protocol has to happen some time, which may have to wait for it: not a message that
// may arrive once more, nor another alarm.
func TestAlarmsThatMove(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  model.EventKind
		extra bool
		want  bool
	}{{"a message", model.Deliver, false, true}, {"one that may arrive once more", model.Deliver, true, false}, {"an alarm of a node", model.Timeout, false, true}, {"another alarm", model.Expire, false, false}} {
		m := model.Claim{Name: "watches", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &actor{observe: func(model.Watch) {}} }}
		w := working(t, system(model.Peer, model.Anytime(), node{}), untimed, m)
		slot := int16(0)
		if c.kind == model.Expire {
			slot = 1
		}
		part := func(b component.Base) uint32 { return w.Pending(w.Store.Base(b), model.Anytime()) }
		other := part(component.Base{Kind: component.Kind(c.kind), Optional: c.extra, Slot: slot, Value: w.Value("x")})
		alarm := part(component.Base{Kind: component.Kind(model.Expire), Slot: 1, Value: w.Value("alarm")})
		v := first(t, w)
		v = append(v[:w.Head:w.Head], other, alarm)
		w.Emit = func([]uint32) {}
		w.Movable = false
		f := w.Flats[alarm]
		w.Move = Move{Kind: model.Expire, Base: f.Base}
		if w.expireAlarm(v, w.Head+1, &f); w.Movable != c.want {
			t.Errorf("beside %s: it moves: %v", c.name, w.Movable)
		}
	}
}

// A step that begins or ends nothing that fairness asks about makes no event anew; one that sets an alarm again does.
func TestWhatIsRenewed(t *testing.T) {
	w := working(t, system(model.Peer, model.Anytime(), node{begins: func(env model.Env) {
		env.After("bell", model.Anytime())
		env.After("other", model.Anytime())
	}, rings: func(_ *node, env model.Env) {
		env.After("other", model.Anytime())
		env.Hold("lock", model.Through(1))
	}}), untimed)
	v := first(t, w)
	w.Fair, w.Sets = true, &liveness.New(true).Sets
	var got []string
	w.Emit = func([]uint32) {
		var keys []string
		for _, base := range w.Sets.Events(w.Edge().Renewed) {
			keys = append(keys, fmt.Sprint(w.Decoded(w.Store.Bases.Items[base].Value)))
		}
		got = append(got, strings.Join(keys, " "))
	}
	w.Expand(v, w.PrintOfState(v))
	if !slices.Equal(got, []string{"other", "other"}) {
		t.Errorf("anew are %q", got)
	}
}
