package absorb

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/memo"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// A bench has an absorber that knows nothing yet, and names for states and messages of a system.
type bench struct {
	*Absorber
	*component.Store
}

func onBench(t *testing.T, reads, answered func(n *node, env model.Env), cuts ...model.Cut) bench {
	t.Helper()
	s := post(model.Bag, model.Faults{}, reads, answered)
	s.Cuts = cuts
	codec, err := value.For(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := step.NewEngine(component.NewStore(s, codec, nil, false, component.Closing))
	return bench{New(e, nil), e.Store}
}

// at is a state of a node, and to a message for one from the other.
func (b bench) at(slot int16, k int) uint32 { return b.Local(slot, b.Codec.Node(&node{S: k}, nil)) }
func (b bench) to(slot int16, m any) uint32 {
	return b.Base(component.Base{Kind: component.Kind(model.Deliver), Slot: slot, From: 1 - slot, Value: b.Value(m)})
}

// A kind of absorption, as tests go through both.
type kind struct {
	name  string
	guess string                                   // about letters
	ask   func(b bench, k int, m any) bool         // whether a message is absorbed when the receiver counts k
	where func(b bench, k int) (absorbed []uint32) // the messages that are absorbed there
	reads func(from int, do func(*node, model.Env)) func(*node, model.Env)
}

var kinds = []kind{
	{"stale", "absorb.letter",
		func(b bench, k int, m any) bool { return b.isStale(b.at(receiver, k), b.to(receiver, m)) },
		func(b bench, k int) []uint32 { return b.absorbed[b.at(receiver, k)] },
		from},
	{"echo", EchoOf + "absorb.letter",
		func(b bench, k int, m any) bool {
			return b.isEcho(echo{b.at(receiver, k), b.to(receiver, m), b.at(sender, 0)})
		},
		func(b bench, k int) (out []uint32) {
			for _, c := range b.Calls[b.at(receiver, k)] {
				if c.state == b.at(receiver, k) && c.answered == b.at(sender, 0) {
					out = append(out, c.trigger)
				}
			}
			return out
		},
		func(least int, do func(*node, model.Env)) func(*node, model.Env) {
			return func(n *node, env model.Env) {
				replies(n, env)
				from(least, do)(n, env)
			}
		}},
}

// What is absorbed in a state is absorbed once in each of those that follow it, whether the
// transitions are known before or after, and though they go in circles.
func TestWhatIsAbsorbedIsSoInWhatFollows(t *testing.T) {
	for _, c := range kinds {
		b := onBench(t, c.reads(9, counts), nothing)
		goes := func(from, to int) { b.edge(b.at(receiver, from), b.at(receiver, to)) }
		for _, e := range [][2]int{{0, 1}, {0, 2}, {2, 0}, {0, 1}, {0, 2}, {1, 2}, {2, 1}} {
			goes(e[0], e[1])
		}
		if got, want := b.successors[b.at(receiver, 0)], []uint32{b.at(receiver, 1), b.at(receiver, 2)}; !slices.Equal(got, want) {
			t.Errorf("%s: what follows is %v, want each once: %v", c.name, got, want)
		}
		letters, answers := b.to(receiver, letter{}), b.to(receiver, answer{})
		for range 2 {
			if !c.ask(b, 0, letter{}) || !c.ask(b, 0, answer{}) || c.ask(b, 0, tick{}) {
				t.Errorf("%s: a letter or an answer is not absorbed, or a tick is", c.name)
			}
		}
		goes(2, 3)
		goes(3, 0)
		for k := range 4 {
			if got := c.where(b, k); !slices.Equal(slices.Sorted(slices.Values(got)), []uint32{letters, answers}) {
				t.Errorf("%s: in state %d %v are absorbed, want a letter and an answer, %d and %d, once each", c.name, k, got, letters, answers)
			}
		}
		if goes(3, 9); len(b.Matter) != 2 || b.Matter[c.guess] != "did something later" {
			t.Errorf("%s: %v matter, want letters and answers", c.name, b.Matter)
		}
	}
}

// It is so in each of several that follow, known before, be it one after the other or all after the first.
func TestWhatIsAbsorbedIsSoInEachThatFollows(t *testing.T) {
	for _, c := range kinds {
		for _, apart := range []int{0, 1} {
			b := onBench(t, c.reads(9, counts), nothing)
			for k := 1; k < 4; k++ {
				b.edge(b.at(receiver, (k-1)*apart), b.at(receiver, k))
			}
			c.ask(b, 0, letter{})
			for k := range 4 {
				if got := c.where(b, k); !slices.Equal(got, []uint32{b.to(receiver, letter{})}) {
					t.Errorf("%s, %d apart: in state %d %v are absorbed", c.name, apart, k, got)
				}
			}
		}
	}
}

// An absorber remembers what it was asked, by state and message.
func TestAnswersAreRemembered(t *testing.T) {
	b := onBench(t, nothing, nil)
	at, letters, ticks := b.at(receiver, 0), b.to(receiver, letter{}), b.to(receiver, tick{})
	b.isStale(at, letters)
	b.isStale(at, ticks)
	if want := map[uint64]bool{memo.Pair(at, letters): true, memo.Pair(at, ticks): false}; !maps.Equal(b.stale, want) {
		t.Errorf("it is known of %v, want %v", b.stale, want)
	}
	b.edge(at, b.at(receiver, 1))
	if !b.stale[memo.Pair(b.at(receiver, 1), letters)] {
		t.Error("it is not known that the letter is absorbed in what follows")
	}
}

// A transition implies one for each image, and a state does not follow itself.
func TestEveryImageOfATransition(t *testing.T) {
	b := onBench(t, nothing, nil)
	plus := func(k int) func(uint32) uint32 { // it renames 0 and 1 into others, and leaves the rest alone
		renamed := map[uint32]uint32{b.at(receiver, 0): b.at(receiver, k), b.at(receiver, 1): b.at(receiver, k+1)}
		return func(local uint32) uint32 {
			if to, ok := renamed[local]; ok {
				return to
			}
			return local
		}
	}
	b.Images = []func(uint32) uint32{plus(10), plus(20)}
	c := NewCleaner(b.Absorber, step.NewWorker(b.e))
	c.Transition(b.at(receiver, 0), b.at(receiver, 1))
	c.Transition(b.at(receiver, 1), b.at(receiver, 1))
	for b.Settle(1) {
	}
	want := map[uint32][]uint32{}
	for _, k := range []int{0, 10, 20} {
		want[b.at(receiver, k)] = []uint32{b.at(receiver, k+1)}
	}
	if !reflect.DeepEqual(b.successors, want) {
		t.Errorf("the transitions are %v, want %v", b.successors, want)
	}
	// Two workers may meet one transition, and one worker goes back.
	c.Transition(b.at(receiver, 1), b.at(receiver, 0))
	if got := b.successors[b.at(receiver, 1)]; !slices.Equal(got, []uint32{b.at(receiver, 0)}) {
		t.Errorf("going back is noted as %v", got)
	}
}

// A message is idle unless its handler does anything, may choose, is cut off, or fails.
func TestIdle(t *testing.T) {
	cut := model.Cut{Name: "few", Beyond: func(n model.Node) bool { return n.(*node).S >= 5 }}
	for name, c := range map[string]struct {
		reads func(n *node, env model.Env)
		at    int
		want  string
	}{
		"nothing":       {nothing, 0, ""},
		"beyond a cut":  {nothing, 5, "did something later"},
		"it chooses":    {func(n *node, env model.Env) { env.Choose(2) }, 0, "did something later"},
		"it may answer": {func(n *node, env model.Env) { env.Choose(2); replies(n, env) }, 0, "did something later"},
		"it counts":     {counts, 0, "did something later"},
		"it fails":      {fails, 2, "later fails: panic: runtime error: integer divide by zero"},
	} {
		b := onBench(t, c.reads, nil, cut)
		if is, why := b.idle(b.at(receiver, c.at), b.to(receiver, letter{})); is != (c.want == "") || why != c.want {
			t.Errorf("%s: it is idle: %v, %q, want %q", name, is, why, c.want)
		}
	}
}

// A message is an echo when all that it does is to send one node messages that are stale there.
func TestEchoed(t *testing.T) {
	twice := func(n *node, env model.Env) { replies(n, env); env.Send(sender, letter{}) }
	for name, c := range map[string]struct {
		reads, answered func(n *node, env model.Env)
		to              int16 // the node that is said to be answered; -1: one that is down
		want            bool
	}{
		"an answer":                {replies, nothing, sender, true},
		"two":                      {twice, nothing, sender, true},
		"nothing":                  {nothing, nothing, sender, false},
		"nothing, to none":         {nothing, nothing, -1, false},
		"one that is down":         {replies, nothing, -1, false},
		"the other is answered":    {replies, nothing, receiver, false},
		"an answer that matters":   {replies, counts, sender, false},
		"it answers, and fails":    {func(n *node, env model.Env) { replies(n, env); panic("it fails") }, nothing, sender, false},
		"it answers, and counts":   {func(n *node, env model.Env) { replies(n, env); n.S++ }, nothing, sender, false},
		"it answers one and other": {func(n *node, env model.Env) { replies(n, env); env.Send(receiver, letter{}) }, nothing, sender, false},
	} {
		b, answered := onBench(t, c.reads, c.answered), component.Down
		if c.to >= 0 {
			answered = b.at(c.to, 0)
		}
		if got := b.answersStale(echo{b.at(receiver, 0), b.to(receiver, letter{}), answered}); got != c.want {
			t.Errorf("%s: it is an echo: %v", name, got)
		}
	}
	b := onBench(t, replies, nothing)
	if call := (echo{b.at(receiver, 0), b.to(receiver, letter{}), b.at(sender, 0)}); !b.answersStale(call) {
		t.Error("a letter is no echo")
	} else if call.trigger = b.to(receiver, nonsense{}); b.answersStale(call) {
		t.Error("what no handler may do is an echo")
	}
	b = onBench(t, twice, nil)
	b.refuted = map[string]bool{"absorb.letter": true} // the second of two answers matters
	if b.answersStale(echo{b.at(receiver, 0), b.to(receiver, letter{}), b.at(sender, 0)}) {
		t.Error("it is an echo, though the second answer matters")
	}
}

// Where an echo was absorbed before, one that is none refutes the guess, though that was known
// already; a message that does nothing there does not.
func TestEchoesInWhatFollows(t *testing.T) {
	for name, c := range map[string]struct {
		reads func(n *node, env model.Env)
		want  map[string]string
	}{
		"it counts":    {func(n *node, env model.Env) { replies(n, env); from(1, counts)(n, env) }, map[string]string{EchoOf + "absorb.letter": "did something later"}},
		"it is silent": {upTo(0, replies), nil},
	} {
		b := onBench(t, c.reads, nothing)
		call := func(k int) echo { return echo{b.at(receiver, k), b.to(receiver, letter{}), b.at(sender, 0)} }
		if b.isEcho(call(1)) || !b.isEcho(call(0)) {
			t.Errorf("%s: it is an echo in the second state, or not in the first", name)
		}
		if b.edge(call(0).state, call(1).state); !maps.Equal(b.Matter, c.want) {
			t.Errorf("%s: %v matter, want %v", name, b.Matter, c.want)
		}
	}
}

// A cleaner deletes all that does not matter from a state, wherever it stands, and nothing that is
// no message in flight to a node that runs; it asks the absorber of each reaction once.
func TestCleaning(t *testing.T) {
	b := onBench(t, func(n *node, _ model.Env) { fails(n, nil) }, nil)
	w := step.NewWorker(b.e)
	a := NewCleaner(b.Absorber, w)
	part := func(kind model.EventKind, optional bool, m any) uint32 {
		base := component.Base{Kind: component.Kind(kind), Optional: optional, Slot: receiver, From: sender, Value: b.Value(m)}
		return b.Part(component.Part{Base: b.Base(base), Hi: component.Endless})
	}
	harmless, again := part(model.Deliver, false, letter{}), part(model.Deliver, true, letter{})
	misused := part(model.Deliver, false, nonsense{})
	alarm, matters := part(model.Timeout, false, letter{}), part(model.Deliver, false, tick{})
	for _, c := range []struct {
		name       string
		at         uint32 // the receiver's state
		timed      bool
		have, want []uint32
	}{
		{"it would fail elsewhere", b.at(receiver, 2), false, []uint32{harmless}, []uint32{harmless}},
		{"all that is stale", b.at(receiver, 0), false, []uint32{harmless, harmless, matters, harmless}, []uint32{matters}},
		{"once more", b.at(receiver, 0), false, []uint32{harmless, harmless, matters, harmless}, []uint32{matters}},
		{"an alarm", b.at(receiver, 0), false, []uint32{alarm, harmless}, []uint32{alarm}},
		{"it may come again", b.at(receiver, 0), false, []uint32{again, harmless}, []uint32{}},
		{"it may come again, in time", b.at(receiver, 0), true, []uint32{again, harmless}, []uint32{again}},
		{"it would fail", b.at(receiver, 2), false, []uint32{harmless, harmless, matters}, []uint32{harmless, harmless, matters}},
		{"it would be misuse", b.at(receiver, 0), false, []uint32{misused, harmless}, []uint32{misused}},
		{"the receiver is down", component.Down, false, []uint32{harmless, matters}, []uint32{harmless, matters}},
	} {
		w.Refresh()
		v := append(make([]uint32, w.Head), c.have...)
		v[sender], v[receiver] = b.at(sender, 0), c.at
		was := a.Count
		w.Timed = c.timed
		got := a.Clean(v)[w.Head:]
		if w.Timed = false; !slices.Equal(got, c.want) {
			t.Errorf("%s: of %v are left %v, want %v", c.name, c.have, got, c.want)
		}
		if n := a.Count - was; n != int64(len(c.have)-len(c.want)) {
			t.Errorf("%s: %d messages were deleted, it says", c.name, n)
		}
	}
	if len(b.Matter) > 0 {
		t.Errorf("%v matter", b.Matter)
	}
}

// A message may be an echo in one state of its receiver and none in another, in which it is answered with something else.
func TestEchoesInEachState(t *testing.T) {
	b := onBench(t, func(n *node, env model.Env) {
		if n.S == 0 {
			replies(n, env)
		} else {
			env.Send(sender, letter{})
		}
	}, nothing)
	b.e.Uses.Echoes, b.refuted = true, map[string]bool{"absorb.letter": true}
	w := step.NewWorker(b.e)
	a := NewCleaner(b.Absorber, w)
	call := b.Part(component.Part{Base: b.to(receiver, letter{}), Hi: component.Endless})
	for _, k := range []int{0, 1, 0} {
		w.Refresh()
		v := append(make([]uint32, w.Head), call)
		v[sender], v[receiver] = b.at(sender, 0), b.at(receiver, k)
		if left := len(a.Clean(v)) - w.Head; left != k {
			t.Errorf("when the receiver counts %d, of one letter %d are left", k, left)
		}
	}
}

// An answer to a node that is down is no echo, and one to the same node is once it runs.
func TestAnswersToWhoIsDown(t *testing.T) {
	b := onBench(t, replies, nothing)
	b.e.Uses.Echoes = true
	for _, before := range []any{nil, tick{}} { // what the worker was asked first
		w := step.NewWorker(b.e)
		a := NewCleaner(b.Absorber, w)
		v := make([]uint32, w.Head)
		v[receiver] = b.at(receiver, 0)
		if before != nil {
			w.React(v[receiver], b.to(receiver, before))
		}
		call := b.Part(component.Part{Base: b.to(receiver, letter{}), Hi: component.Endless})
		w.Refresh()
		for _, at := range []uint32{component.Down, b.at(sender, 0)} {
			v[sender] = at
			if left := len(a.Clean(append(slices.Clone(v), call))) - w.Head; left == 1 != (at == component.Down) {
				t.Errorf("%d messages are left when the sender's state is %d", left, at)
			}
		}
	}
}

// Each message that is looked at is one look-up. Without a cache its handler runs each time.
func TestLooks(t *testing.T) {
	for _, cached := range []bool{true, false} {
		b := onBench(t, nothing, nil)
		b.e.NoCache = !cached
		w := step.NewWorker(b.e)
		a := NewCleaner(b.Absorber, w)
		at, letters := b.at(receiver, 0), b.to(receiver, letter{})
		a.react(at, letters)
		calls, looks := b.e.Calls, w.Lookups
		a.react(at, letters)
		if ran := b.e.Calls > calls; ran == cached || w.Lookups != looks+1 {
			t.Errorf("cached: %v: the handler runs again: %v, after %d look-ups", cached, ran, w.Lookups-looks)
		}
	}
}

// An absorber that is restored is what it was.
func TestSavedAbsorbers(t *testing.T) {
	was := New(nil, nil)
	was.absorbed, was.successors = map[uint32][]uint32{1: {2, 3}, 4: {5}}, map[uint32][]uint32{1: {6}, 7: {8, 9}}
	was.echoes = map[echo]bool{{10, 11, 12}: true, {13, 14, 15}: true, {16, 17, 18}: false}
	was.Calls = map[uint32][]echo{10: {{10, 11, 12}, {10, 19, 12}}, 13: {{13, 14, 15}}}
	saved, is := was.Save(), New(nil, nil)
	if slices.ContainsFunc(saved.Calls, func(e savedEcho) bool { return !e.Is }) {
		t.Errorf("of %v some are no echoes", saved.Calls)
	}
	if is.Restore(&saved); !reflect.DeepEqual(is, was) {
		t.Errorf("it is %v, and was %v", fmt.Sprint(is), fmt.Sprint(was))
	}
}
