package absorb

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/reduce"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// A node does what its funcs say. It counts in S, which is state.
type node struct {
	begins func(env model.Env)
	hears  func(n *node, env model.Env, m any)
	S      int
}

func (n *node) Start(env model.Env) {
	if n.begins != nil {
		n.begins(env)
	}
}

func (n *node) Receive(env model.Env, _ model.NodeID, m any) {
	if n.hears != nil {
		n.hears(n, env, m)
	}
}

// The sender sends the receiver two ticks, which it counts, and a letter. What it does with the
// letter, and what the sender does with an answer, differs.
type (
	tick     struct{}
	letter   struct{}
	answer   struct{}
	nonsense struct{} // who hears it notes what is refused
	unlisted struct{}
)

const sender, receiver = 0, 1

func post(channel model.Channel, f model.Faults, reads, answered func(n *node, env model.Env)) *model.System {
	from := node{begins: func(env model.Env) {
		for _, m := range []any{tick{}, letter{}, tick{}} {
			env.Send(receiver, m)
		}
	}, hears: func(n *node, env model.Env, _ any) {
		if answered != nil {
			answered(n, env)
		}
	}}
	to := node{hears: func(n *node, env model.Env, m any) {
		switch m {
		case tick{}:
			n.S++
		case nonsense{}:
			env.Note(unlisted{})
		default:
			reads(n, env)
		}
	}}
	return &model.System{
		Network: model.Network{Channel: channel, Delay: model.Anytime()}, Faults: f, Types: []any{tick{}, letter{}, answer{}, nonsense{}},
		Nodes: []model.NodeSpec{
			{Name: "sender", Role: model.Peer, New: func() model.Node { n := from; return &n }},
			{Name: "receiver", Role: model.Server, New: func() model.Node { n := to; return &n }},
		},
	}
}

// A search goes through a system, and deletes what does not matter.
type search struct {
	*Cleaner
	states map[string]bool // the receiver's state, and what is under way: "1: letter tick"
}

func searched(t *testing.T, s *model.System, uses reduce.Uses, spared ...string) search {
	t.Helper()
	codec, err := value.For(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := step.NewEngine(component.NewStore(s, codec, nil, false, component.Closing))
	e.Uses = uses
	w := step.NewWorker(e)
	guesses := map[string]bool{}
	for _, name := range spared {
		guesses[name] = true
	}
	x := search{NewCleaner(New(e, guesses), w), map[string]bool{}}
	w.Absorb = x
	var states [][]uint32
	met := map[fingerprint.Print]bool{}
	w.Emit = func(next []uint32) {
		if !met[w.Sum] {
			met[w.Sum] = true
			v := slices.Clone(next)
			step.SortParts(v[w.Head:])
			states = append(states, v)
			x.states[text(w, v)] = true
		}
	}
	w.Initial()
	for k := 0; k < len(states); k++ {
		w.Expand(states[k], w.PrintOfState(states[k]))
	}
	return x
}

func text(w *step.Worker, v []uint32) string {
	at := "down"
	if v[receiver] != component.Down {
		at = fmt.Sprint(w.Codec.DecodeNode(w.Protos[receiver], []byte(w.Store.Locals.Items[v[receiver]].Bytes)).(*node).S)
	}
	var pending []string
	for _, id := range v[w.Head:] {
		if f := w.Flats[id]; f.Kind == component.Kind(model.Deliver) {
			pending = append(pending, strings.TrimPrefix(fmt.Sprintf("%T", w.Decoded(w.Store.Bases.Items[f.Base].Value)), "absorb."))
		}
	}
	slices.Sort(pending)
	return at + ": " + strings.Join(pending, " ")
}

// Both absorptions.
var stale, both = reduce.Uses{Stale: true}, reduce.Uses{Stale: true, Echoes: true}

// What the receiver may do with the letter.
func nothing(*node, model.Env)       {}
func counts(n *node, _ model.Env)    { n.S += 10 }
func replies(_ *node, env model.Env) { env.Send(sender, answer{}) }
func fails(n *node, _ model.Env)     { n.S /= n.S - 2 }
func from(least int, do func(*node, model.Env)) func(*node, model.Env) {
	return func(n *node, env model.Env) {
		if n.S >= least {
			do(n, env)
		}
	}
}

func upTo(most int, do func(*node, model.Env)) func(*node, model.Env) {
	return func(n *node, env model.Env) {
		if n.S <= most {
			do(n, env)
		}
	}
}

// A message is deleted where its delivery does nothing, and will do nothing in any state that the
// receiver goes on to; so is one that is answered with such messages alone, where that may be. A
// guess that turns out to be wrong is refuted by name, and one that was refuted is not made again.
func TestWhatIsDeleted(t *testing.T) {
	for _, c := range []struct {
		name            string
		reads, answered func(n *node, env model.Env)
		uses            reduce.Uses
		spared          []string
		without         []int             // states of the receiver in which no letter is ever under way; in the others one is
		matter          map[string]string // refuted
	}{
		{"it does nothing", nothing, nil, stale, nil, []int{0, 1, 2}, nil},
		{"it does something at once", counts, nil, stale, nil, []int{10, 11, 12}, nil},
		{"it does nothing any more", upTo(0, counts), nil, stale, nil, []int{1, 2, 10, 11, 12}, nil},
		{"it does something later", from(2, counts), nil, stale, nil, []int{0, 1, 2}, map[string]string{"absorb.letter": "did something later"}},
		{"it answers later", from(2, replies), nil, stale, nil, []int{0, 1, 2}, map[string]string{"absorb.letter": "did something later"}},
		{"it fails later", from(2, fails), nil, stale, nil, []int{0, 1, 2},
			map[string]string{"absorb.letter": "later fails: panic: runtime error: integer divide by zero"}},
		{"it is known to matter", from(2, counts), nil, stale, []string{"absorb.letter"}, []int{12}, nil},
		{"an answer that does nothing", replies, nil, both, nil, []int{0, 1, 2}, nil},
		{"echoes are kept", replies, nil, stale, nil, nil, nil},
		{"an answer that does something", replies, counts, both, nil, nil, nil},
		{"an echo that matters later", func(n *node, env model.Env) {
			if replies(n, env); n.S >= 2 {
				n.S = 12
			}
		}, nil, both, nil, []int{0, 1, 2}, map[string]string{EchoOf + "absorb.letter": "did something later"}},
		{"an echo that is known to", replies, nil, both, []string{EchoOf + "absorb.letter"}, nil, nil},
	} {
		x := searched(t, post(model.Bag, model.Faults{}, c.reads, c.answered), c.uses, c.spared...)
		if !maps.Equal(x.Matter, c.matter) {
			t.Errorf("%s: %v matter, want %v", c.name, x.Matter, c.matter)
		}
		under := map[string]bool{}
		for s := range x.states {
			at, _, _ := strings.Cut(s, ":")
			under[at] = under[at] || strings.Contains(s, "letter")
		}
		for at, is := range under {
			if without := slices.ContainsFunc(c.without, func(k int) bool { return fmt.Sprint(k) == at }); is == without {
				t.Errorf("%s: in state %s of the receiver a letter is under way: %v", c.name, at, is)
			}
		}
	}
}

// What stands behind a deleted message moves up in its channel; a message to a node that is down
// is not deleted, since it is not known in what state the node will be.
func TestWhereMessagesAre(t *testing.T) {
	x := searched(t, post(model.FIFO, model.Faults{}, nothing, nil), stale)
	if !x.states["2: "] || x.states["0: letter tick tick"] || x.Count != 1 {
		t.Errorf("on FIFO there are %v, and %d messages are deleted", x.states, x.Count)
	}
	x = searched(t, post(model.Bag, model.Faults{Restarts: 1}, upTo(0, counts), nil), stale)
	if !x.states["down: letter"] || x.states["1: letter"] {
		t.Errorf("with a restart there are %v", x.states)
	}
}

// Transitions that renaming makes of one that was taken count as taken.
func TestImagesOfTransitions(t *testing.T) {
	x := searched(t, post(model.Bag, model.Faults{}, from(7, counts), nil), stale)
	if len(x.Matter) > 0 {
		t.Fatalf("%v matter", x.Matter)
	}
	at := func(k int) uint32 { return x.w.Store.Local(receiver, x.w.Codec.Node(&node{S: k}, nil)) }
	x.Images = []func(uint32) uint32{func(local uint32) uint32 {
		if local == at(5) {
			return at(2) // where a letter was absorbed
		}
		return at(7)
	}}
	x.Transition(at(5), at(6))
	if !x.Unsettled() || x.Settle(100) {
		t.Error("the images are not noted in the end")
	}
	if want := map[string]string{"absorb.letter": "did something later"}; !maps.Equal(x.Matter, want) {
		t.Errorf("%v matter, want %v", x.Matter, want)
	}
}

// An absorber that is restored checks what was absorbed before, on transitions that are taken
// only then, and those before on what is absorbed only then.
func TestRestoredAbsorbersRemember(t *testing.T) {
	for name, c := range map[string]struct {
		reads func(n *node, env model.Env)
		want  string
	}{
		"a message": {from(7, counts), "absorb.letter"},
		"an echo": {func(n *node, env model.Env) {
			if replies(n, env); n.S >= 7 {
				n.S = 10
			}
		}, EchoOf + "absorb.letter"},
	} {
		x := searched(t, post(model.Bag, model.Faults{}, c.reads, nil), both)
		saved := x.Save()
		again := NewCleaner(New(x.e, nil), x.w)
		again.Restore(&saved)
		at := func(k int) uint32 { return x.w.Store.Local(receiver, x.w.Codec.Node(&node{S: k}, nil)) }
		if again.Transition(at(1), at(2)); len(again.Matter) > 0 {
			t.Errorf("%s: %v matter, though nothing new is known", name, again.Matter)
		}
		if again.Transition(at(2), at(7)); again.Matter[c.want] != "did something later" || len(again.Matter) != 1 {
			t.Errorf("%s: %v matter, want %s", name, again.Matter, c.want)
		}
	}
}

// One that knows what follows a state checks what is absorbed there only after it was restored.
func TestRestoredAbsorbersKnowWhatFollows(t *testing.T) {
	x := searched(t, post(model.Bag, model.Faults{}, from(7, counts), nil), both)
	at := func(k int) uint32 { return x.w.Store.Local(receiver, x.w.Codec.Node(&node{S: k}, nil)) }
	it := x.w.Store.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: receiver, From: sender, Value: x.w.Store.Value(letter{})})
	again := NewCleaner(New(x.e, nil), x.w)
	again.Restore(&Saved{After: map[uint32][]uint32{at(6): {at(7)}}})
	if !again.isStale(at(6), it) || again.Matter["absorb.letter"] != "did something later" {
		t.Errorf("%v matter", again.Matter)
	}
}

// Of several reasons the least is given, whichever was found first.
func TestTheLeastReason(t *testing.T) {
	for _, order := range [][]string{{"a", "b", "c"}, {"c", "b", "a"}, {"b", "a", "c"}} {
		a := New(nil, nil)
		for _, why := range order {
			a.refute("it", why)
		}
		if a.Matter["it"] != "a" {
			t.Errorf("%v: %v", order, a.Matter)
		}
	}
}
