package why

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/claims"
	"contend/model/world"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/replay"
)

type idle struct{}

// watched returns a scene of three nodes with two critical sections each, and the given observations.
func watched(t *testing.T, claim model.Claim, seen ...model.Observation) *scene {
	t.Helper()
	s := &model.System{Types: []any{0}}
	op := model.Op{Call: 1, Release: 2, After: model.Anytime(), Stay: model.Anytime()}
	for _, name := range []string{"a", "b", "c"} {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Peer, New: func() model.Node { return &idle{} }, Script: []model.Op{op, op}})
	}
	w, err := world.New(s, []model.Claim{claim}, world.Options{})
	require.NoError(t, err)
	run := &replay.Run{Trace: &traces.Trace{Time: "untimed", Claim: claim.Name}, World: w}
	x := &scene{run: run, d: draw.New(run), claim: claim, named: map[int]bool{}}
	for i, o := range seen {
		x.seen = append(x.seen, observation{Observation: o, step: i + 1})
	}
	return x
}

// numbered is a message around another.
type numbered struct {
	Number int
	Is     any
}

// Messages of one type are of one kind, unless their contents are of different kinds. Messages that are texts
// are distinguished by the text, since nothing else is known.
func TestKind(t *testing.T) {
	assert.Equal(t, kind(numbered{1, model.Some(1)}), kind(numbered{2, model.Some(2)}))
	assert.NotEqual(t, kind(numbered{1, model.Some(1)}), kind(numbered{1, 1}))
	assert.NotEqual(t, kind(numbered{1, numbered{1, 1}}), kind(numbered{1, numbered{1, true}}))
	assert.NotEqual(t, kind(numbered{1, "ask"}), kind(numbered{1, "answer"}))
	assert.NotEqual(t, kind([2]any{1, 1}), kind(numbered{}))
	assert.Equal(t, kind(model.Some(1)), kind(model.Some(2)))
	assert.NotEqual(t, kind(1), kind(model.Some(1)))
	assert.NotEqual(t, kind("ask"), kind("answer"))
	type text struct{ Is string }
	assert.Equal(t, kind(text{"ask"}), kind(text{"answer"}), "a text is all that is known where a message is one")
	type (
		another struct{ Is any }
		third   struct{ Is any }
	)
	assert.NotEqual(t, kind(another{1}), kind(third{1}))
	assert.NotEqual(t, kind(numbered{1, numbered{1, 1}}), kind(numbered{1, another{1}}))
	assert.Equal(t, kind("ask"), kind("ask"))
	type pair struct{ A, B any }
	assert.NotEqual(t, kind(pair{1, 1}), kind(pair{true, 1}))
	type many struct{ A, B, C, D, E any }
	assert.Equal(t, kind(many{1, 2, 3, 4, 5}), kind(many{1, 2, 3, 4, true}), "of so many the last are not asked")
}

const a, b, c = model.NodeID(0), model.NodeID(1), model.NodeID(2)

func enters(id model.NodeID, op int) model.Observation {
	return model.Observation{Kind: model.Returned, Node: id, Op: op}
}

func leaves(id model.NodeID, op int) model.Observation {
	return model.Observation{Kind: model.Released, Node: id, Op: op}
}

// The contradicting observations are exactly those that are necessary for the violation. None of the omitted
// observations would remove the violation.
func TestContradicting(t *testing.T) {
	for name, test := range map[string]struct {
		seen []model.Observation
		want []int // steps
	}{
		"two inside":                     {[]model.Observation{enters(a, 0), enters(b, 0)}, []int{1, 2}},
		"one has left before":            {[]model.Observation{enters(a, 0), leaves(a, 0), enters(b, 0), enters(c, 0)}, []int{3, 4}},
		"one has left in between":        {[]model.Observation{enters(a, 0), enters(b, 0), leaves(a, 0)}, []int{1, 2}},
		"the same one, the second time":  {[]model.Observation{enters(a, 0), leaves(a, 0), enters(b, 0), leaves(b, 0), enters(a, 1), enters(b, 1)}, []int{5, 6}},
		"one that has crashed is out":    {[]model.Observation{enters(a, 0), {Kind: model.Crashed, Node: a}, enters(b, 0), enters(c, 0)}, []int{3, 4}},
		"nothing is wrong":               {[]model.Observation{enters(a, 0), leaves(a, 0), enters(b, 0)}, nil},
		"the first violation is the one": {[]model.Observation{enters(a, 0), enters(b, 0), enters(c, 0)}, []int{1, 2}},
	} {
		var got []int
		for _, o := range watched(t, claims.MutualExclusion(), test.seen...).minimalContradiction() {
			got = append(got, o.step)
		}
		assert.Equal(t, test.want, got, name)
	}
}

// armed is a monitor of noted numbers: n arms n, -n disarms it, and 0 must find nothing armed.
type armed struct{ Now map[int]bool }

func (m *armed) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(int); {
	case n > 0:
		m.Now[n] = true
	case n < 0:
		delete(m.Now, -n)
	case len(m.Now) > 0:
		w.Violate("something is armed")
	}
}

// Without 1, 2 would seem to be the cause, if its antidote were also omitted. An observation that would
// remove the violation is not omitted.
func TestNotMended(t *testing.T) {
	claim := model.Claim{Name: "armed", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &armed{} }}
	var seen []model.Observation
	for _, n := range []int{1, 2, -2, 0} {
		seen = append(seen, model.Observation{Kind: model.Noted, Op: -1, Value: n})
	}
	var got []int
	for _, o := range watched(t, claim, seen...).minimalContradiction() {
		got = append(got, o.Value.(int))
	}
	assert.Equal(t, []int{1, -2, 0}, got)
}

// moody is a monitor that panics on observations out of order.
type moody struct{ Seen int }

func (m *moody) Observe(w model.Watch, o model.Observation) {
	if m.Seen++; o.Op != m.Seen-1 {
		panic("out of order")
	}
	if m.Seen == 3 {
		w.Violate("three")
	}
}

// A monitor that cannot bear a list with gaps is believed on the whole list alone.
func TestMoodyMonitor(t *testing.T) {
	claim := model.Claim{Name: "moody", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &moody{} }}
	x := watched(t, claim, enters(a, 0), enters(b, 1), enters(c, 2))
	assert.Len(t, x.minimalContradiction(), 3)
	x = watched(t, claim, enters(a, 1))
	assert.Empty(t, x.minimalContradiction())
}

// decided is the goal that all three nodes note the same number.
type decided struct{ On map[model.NodeID]int }

func (d *decided) Observe(_ model.Watch, o model.Observation) { d.On[o.Node] = o.Value.(int) }

func (d *decided) Reached() bool { return len(d.On) == 3 && d.On[a] == d.On[b] && d.On[b] == d.On[c] }

// The missing observations are the fewest that are sufficient, among the notes of other nodes.
func TestMissing(t *testing.T) {
	notes := func(id model.NodeID, n int) model.Observation {
		return model.Observation{Kind: model.Noted, Node: id, Op: -1, Value: n}
	}
	goal := model.Claim{Name: "goal", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &decided{} }}
	for name, test := range map[string]struct {
		seen []model.Observation
		want []model.NodeID
	}{
		"one":             {[]model.Observation{notes(a, 7), notes(b, 7)}, []model.NodeID{c}},
		"two":             {[]model.Observation{notes(b, 7)}, []model.NodeID{a, c}},
		"one is wrong":    {[]model.Observation{notes(a, 7), notes(b, 7), notes(c, 8)}, []model.NodeID{c}},
		"nobody ever did": {nil, nil},
	} {
		var got []model.NodeID
		for _, o := range watched(t, goal, test.seen...).missing() {
			got = append(got, o.Node)
		}
		assert.Equal(t, test.want, got, name)
	}
}

// A value is known again if it is not zero, and no truth value.
func TestTelling(t *testing.T) {
	for _, v := range []any{nil, 0, "", false, true, numbered{}} {
		assert.False(t, distinctive(v), "%v", v)
	}
	for _, v := range []any{1, "x", numbered{Number: 1}, []int{}} {
		assert.True(t, distinctive(v), "%v", v)
	}
}

// The similarity of values grows with the number of equal fields, at any depth. Fields that cannot be read do
// not count.
func TestAlike(t *testing.T) {
	type hidden struct{ n int }
	type of struct {
		A, B numbered
		C    hidden
	}
	for want, pair := range map[int][2]any{
		0: {numbered{1, 1}, numbered{2, 2}},
		1: {numbered{1, 1}, numbered{1, 2}},
		2: {of{A: numbered{1, 2}, B: numbered{2, 2}}, of{A: numbered{1, 1}, B: numbered{1, 2}}},
		4: {of{C: hidden{1}}, of{C: hidden{1}}},
	} {
		assert.Equal(t, want, alike(reflect.ValueOf(pair[0]), reflect.ValueOf(pair[1])), "%v", pair)
	}
	assert.Equal(t, 1, alike(reflect.ValueOf(3), reflect.ValueOf(3)))
	assert.Equal(t, 0, alike(reflect.ValueOf(nil), reflect.ValueOf(nil)))
}

// A value is in another, and a type in another, through fields, elements, and keys.
func TestHolds(t *testing.T) {
	type list []list
	assert.False(t, mayContain(reflect.TypeFor[list](), reflect.TypeFor[int](), 0))
	assert.True(t, mayContain(reflect.TypeFor[[1][1][1][1][1][1]int](), reflect.TypeFor[int](), 0))
	assert.False(t, mayContain(reflect.TypeFor[[1][1][1][1][1][1][1]int](), reflect.TypeFor[int](), 0), "so deep nobody looks")
	type of struct {
		Some []numbered
		By   map[string]*int
		Any  any
	}
	for _, c := range []struct {
		in, v      any
		has, might bool
	}{
		{3, 3, true, true}, {3, 4, false, true}, {3, "3", false, false}, {nil, 3, false, false},
		{numbered{1, "x"}, 1, true, true}, {numbered{1, "x"}, "x", true, false}, {numbered{1, "x"}, 2, false, true},
		{[]numbered{{1, nil}, {2, nil}}, 2, true, true}, {[2]int{1, 2}, 2, true, true}, {[2]int{1, 2}, "", false, false},
		{map[string]int{"a": 1}, "a", true, true}, {map[string]int{"a": 1}, 1, true, true}, {map[string]int{"a": 1}, 2, false, true},
		{of{Some: []numbered{{1, nil}, {2, nil}}}, 2, true, true}, {of{By: map[string]*int{"a": nil}}, "a", true, true},
		{of{Any: of{Any: true}}, true, true, false}, {of{}, true, false, false},
	} {
		assert.Equal(t, c.has, contains(reflect.ValueOf(c.in), c.v), "%v in %v", c.v, c.in)
		assert.Equal(t, c.might, mayContain(reflect.TypeOf(c.in), reflect.TypeOf(c.v), 0), "%T in %T", c.v, c.in)
	}
}

// coin is an object that is tossed, and read: a toss leaves either side.
var coin = model.Object{Name: "coin", Init: 0, Types: []any{0}, Step: func(state any, _ model.NodeID, call any) []model.Effect {
	if call == "toss" {
		return []model.Effect{{State: 1}, {State: 2}, {State: 1}}
	}
	return []model.Effect{{State: state, Result: state}}
}}

// After operations the object is in any state that matches their results. An operation that has not returned
// matches all states.
func TestAfter(t *testing.T) {
	x := watched(t, model.Claim{Name: "coin", Kind: model.Linearizable, Object: coin, Monitor: func(*model.System) model.Monitor { return &moody{} }})
	op := func(call string, returns ...any) operation {
		is := operation{call: observation{Observation: model.Observation{Kind: model.Invoked, Value: call}}}
		for _, v := range returns {
			is.returned = &observation{Observation: model.Observation{Kind: model.Returned, Value: v}}
		}
		return is
	}
	assert.Equal(t, []any{0}, x.statesAfter(nil))
	assert.Equal(t, []any{1, 2}, x.statesAfter([]operation{op("toss", nil)}))
	assert.Equal(t, []any{2}, x.statesAfter([]operation{op("toss", nil), op("read", 2)}))
	assert.Equal(t, []any{1, 2}, x.statesAfter([]operation{op("toss", nil), op("read")}))
	assert.Empty(t, x.statesAfter([]operation{op("toss", nil), op("read", 3)}))
	assert.Empty(t, x.statesAfter([]operation{op("read", 1), op("toss", nil)}))

	release := observation{Observation: model.Observation{Kind: model.Released, Value: "toss"}} // of which the object's result is not asked
	assert.Equal(t, []any{1, 2}, x.statesAfter([]operation{{call: release, returned: &release}}))

	at, found := x.changer([]operation{op("read"), op("toss", nil), op("read", 2), op("read")})
	assert.True(t, found) // by the read the other side is out of the question
	assert.Equal(t, op("read", 2).returned.Value, at.returned.Value)
	_, found = x.changer([]operation{op("read"), op("read", 0)})
	assert.False(t, found)

	placed, states := x.needed([]operation{op("toss"), op("read", 0), op("toss")})
	assert.Len(t, placed, 1)
	assert.Equal(t, []any{0}, states)
	placed, states = x.needed([]operation{op("toss"), op("toss"), op("read", 2)})
	assert.Len(t, placed, 2)
	assert.Equal(t, []any{2}, states)
}

// The middle items of a long list are counted, not listed.
func TestListed(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e", "f", "g"}
	for n, want := range []string{"", "a", "a and b", "a, b and c", "a, b, c and d", "a, b, c, d and e", "a, b, … (2 more), e and f", "a, b, … (3 more), f and g"} {
		assert.Equal(t, want, listed(all[:n]))
	}
	assert.Equal(t, "a or b", either(all[:2]))
	assert.Equal(t, "a; b; c", semicolons(all[:3]))
	assert.Equal(t, []string{"a", "b", "c", "d", "e", "f", "g"}, all)
}

// A value is cut to a hundred letters, whatever their bytes.
func TestShort(t *testing.T) {
	for _, letter := range []string{"x", "ü"} {
		assert.Equal(t, strings.Repeat(letter, 100), short(strings.Repeat(letter, 100)))
		assert.Equal(t, strings.Repeat(letter, 99)+"…", short(strings.Repeat(letter, 101)))
	}
}

// Only a word of small letters begins with a capital, and no name does.
func TestCapital(t *testing.T) {
	x := watched(t, claims.MutualExclusion())
	for text, want := range map[string]string{"": "", "in the end": "In the end", "zz": "Zz", "a sends": "a sends", "p1 sends": "p1 sends", "Éa": "Éa", "aÉ b": "aÉ b", "It": "It", "of {x}": "Of {x}"} {
		assert.Equal(t, want, x.capital(text))
	}
}

// In an untimed run a hold of the monitor lasts until the run records its end. Holds of other nodes, and
// nodes' questions, do not affect it.
func TestHeldUntimed(t *testing.T) {
	answer := func(since int, held, watch bool) world.Record {
		return world.Record{Held: []world.HeldAnswer{{Since: since, Held: held, Watch: watch}}}
	}
	x := watched(t, claims.MutualExclusion())
	x.run.Records = []world.Record{answer(1, false, true), {}, answer(1, false, true), answer(2, true, true), answer(2, false, false), answer(2, false, true), {}}
	w := &watch{s: x, holds: map[string]hold{}}
	assert.False(t, w.Held("key"))
	w.now.step = 2
	w.Hold("key", model.Through(1))
	for step, lasts := range map[int]bool{2: true, 3: true, 4: true, 5: true, 6: false, 7: false, 9: false} {
		w.now.step = step
		assert.Equal(t, lasts, w.Held("key"), step)
		assert.False(t, w.Held("another"))
	}
	w.Hold("key", model.Through(1))
	w.now.step = 9
	assert.False(t, w.Held("another"))
}

// Nodes that wait in a circle are listed, beginning with the first. Nodes that wait for a node in the circle
// are not listed.
func TestCircle(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		x := watched(t, claims.MutualExclusion())
		edges, names := map[int]int{}, "abcde"
		for i := range names {
			x.d.Lanes = append(x.d.Lanes[:i], draw.Lane{Name: names[i : i+1]})
			if on := rng.IntN(len(names)); on != i && rng.IntN(4) > 0 { // nobody waits for himself
				edges[i] = on
			}
		}
		var want []string
		for start := range names { // it is in a circle if it leads back to itself
			at, is := edges[start]
			parts := []string{names[start:start+1] + " waits"}
			for steps := 0; is && at != start && steps < len(names); steps++ {
				parts[len(parts)-1] += " for " + names[at:at+1]
				parts = append(parts, names[at:at+1])
				at, is = edges[at]
			}
			if is && at == start {
				parts[len(parts)-1] += " for " + names[at:at+1]
				want = []string{"They wait in a circle: " + listed(parts) + "."}
				break
			}
		}
		x.explainCycle(edges)
		assert.Equal(t, want, x.sentences, "%v", edges)
	}
}

// A node that has answered in time is not ignored, even if it answers again later.
func TestIgnored(t *testing.T) {
	asks := draw.Arrow{From: 0, To: 1, Sent: 1, End: 2, Label: "Ask"}
	early, late := draw.Arrow{From: 1, To: 0, Sent: 3, End: 4, Label: "Yes"}, draw.Arrow{From: 1, To: 0, Sent: 5, End: 6, Label: "Yes"}
	lost := early
	lost.Fate = draw.Lost
	for _, test := range []struct {
		arrows []draw.Arrow
		want   []string
	}{
		{[]draw.Arrow{asks}, []string{"b got its Ask at step 2 and had not answered by then."}},
		{[]draw.Arrow{asks, early}, nil},
		{[]draw.Arrow{asks, late}, []string{"b got its Ask at step 2 and had not answered by then."}},
		{[]draw.Arrow{asks, early, late}, nil},
		{[]draw.Arrow{asks, lost, late}, nil},
	} {
		x := watched(t, claims.MutualExclusion())
		x.d.Arrows = test.arrows
		x.explainUnanswered(a, 5)
		assert.Equal(t, test.want, x.sentences, "%v", test.arrows)
	}
}

// A message is passed over whose value its receiver neither has behind it nor sends on.
func TestPassedOver(t *testing.T) {
	type holder struct{ Value, Other int }
	for _, test := range []struct {
		before, after holder
		sends         any
		want          []string
	}{
		{holder{1, 2}, holder{1, 2}, nil, []string{"at step 1 Seven of a came to b, with the 7 of a, and b passed over it."}},
		{holder{7, 2}, holder{1, 2}, nil, []string{"at step 1 Seven of a came to b, with the 7 of a, and b passed over it."}},
		{holder{1, 2}, holder{1, 7}, nil, nil},
		{holder{1, 2}, holder{1, 2}, numbered{7, nil}, nil},
		{holder{1, 2}, holder{1, 2}, numbered{8, nil}, []string{"at step 1 Seven of a came to b, with the 7 of a, and b passed over it: it sent Next to c."}},
	} {
		x := watched(t, claims.MutualExclusion())
		x.run.Records = []world.Record{{Node: b, Before: &test.before, After: &test.after}}
		x.d.Arrows = []draw.Arrow{{From: 0, To: 1, End: 1, Label: "Seven", Value: numbered{7, nil}}}
		x.d.Arrows = append(x.d.Arrows, draw.Arrow{From: 1, To: 2, Sent: 3, End: 4, Label: "Late", Value: numbered{7, nil}}, draw.Arrow{From: 2, To: 0, Sent: 1, End: 3, Label: "Other", Value: numbered{7, nil}})
		if test.sends != nil {
			x.d.Arrows = append(x.d.Arrows, draw.Arrow{From: 1, To: 2, Sent: 1, End: 2, Label: "Next", Value: test.sends})
		}
		is := func(id model.NodeID, v int) observation {
			return observation{Observation: model.Observation{Kind: model.Noted, Node: id, Value: v}, step: 2}
		}
		x.explainOverlooked(is(a, 7), is(b, 8))
		for i, says := range test.want {
			test.want[i] = x.capital(says)
		}
		assert.Equal(t, test.want, x.sentences, "%+v", test)
	}
}

// A message was sent inside the section if its sender was there in the step in which it was sent.
func TestInside(t *testing.T) {
	for _, test := range []struct {
		bar  draw.Bar
		sent int
		is   bool
	}{
		{draw.Bar{Kind: draw.Section, From: 2, To: 6}, 2, false}, {draw.Bar{Kind: draw.Section, From: 2, To: 6}, 3, true},
		{draw.Bar{Kind: draw.Section, From: 2, To: 6}, 5, true}, {draw.Bar{Kind: draw.Section, From: 2, To: 6}, 6, false},
		{draw.Bar{Kind: draw.Section, From: 2, To: 6, Open: true}, 6, true}, {draw.Bar{Kind: draw.Operation, From: 2, To: 6}, 3, false},
		{draw.Bar{Kind: draw.Section, Lane: 1, From: 2, To: 6}, 3, false},
	} {
		x := watched(t, claims.MutualExclusion())
		x.run.Records = make([]world.Record, 9)
		x.d.Bars = []draw.Bar{test.bar}
		says := x.describeSender(draw.Arrow{From: 0, To: 1, Sent: test.sent})
		assert.Equal(t, test.is, says == ", when a was in the section", "%+v at %d", test.bar, test.sent)
	}
}

// The number of arrivals of a message counts up to a step, and the sentence names the time of each.
func TestArrivals(t *testing.T) {
	of := draw.Arrow{From: 0, To: 1, Sent: 1, End: 2, Label: "Ask"}
	twice, late, another, others := of, of, of, of
	twice.End, twice.Fate = 4, draw.Doubled
	late.End, late.Fate = 8, draw.Doubled
	another.Sent, another.End = 3, 5
	others.From, others.End = 2, 3
	x := watched(t, claims.MutualExclusion())
	for want, arrows := range map[string][]draw.Arrow{
		"step 2": {of, late, another},
		"step 2 and step 4, more often than it was sent": {of, others, twice, another, late},
	} {
		x.d.Arrows = arrows
		assert.Equal(t, want, x.arrivals(of, observation{step: 6}))
	}
}

// An event that is possible throughout a loop need not happen in the loop.
func TestLeftOut(t *testing.T) {
	x := watched(t, claims.MutualExclusion())
	x.run.Trace.Loop = 1 // the invocations are pending from the start
	assert.Empty(t, x.describeLoop())
	x.run.Trace.Loop = 0
	assert.Equal(t, "; all that is to happen happens within a round", x.describeLoop())
}

// keen sends two numbers to each of three nodes as it starts.
type keen struct{ Sent bool }

func (*keen) Start(env model.Env) {
	for id := range model.NodeID(3) {
		env.Send(id, 7)
		env.Send(id, 8)
	}
}
func (*keen) Receive(model.Env, model.NodeID, any) {}

// Each of several messages in flight from the start is found by its sender, its receiver, and its content.
func TestMessage(t *testing.T) {
	s := &model.System{Types: []any{0}, Network: model.Network{Delay: model.Anytime()}}
	for _, name := range []string{"a", "b", "c"} {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Peer, New: func() model.Node { return &keen{} }})
	}
	w, err := world.New(s, nil, world.Options{})
	require.NoError(t, err)
	x := &scene{run: &replay.Run{Trace: &traces.Trace{Time: "untimed"}, World: w}}
	for i := range 18 {
		a := draw.Arrow{From: i % 3, To: i / 3 % 3, Fate: draw.InFlight, Value: 7 + i/9}
		e := x.message(a)
		assert.Equal(t, a, draw.Arrow{From: int(e.From), To: int(e.Node), Fate: draw.InFlight, Value: e.Value})
	}
}

// An operation returned in a step if the step caused its return, even if the node crashes before its
// application sees the return.
func TestReturned(t *testing.T) {
	x := watched(t, claims.MutualExclusion())
	returns := func(step int) *world.Event { return &world.Event{Kind: model.Return, BornStep: step} }
	x.run.Records = []world.Record{
		{}, {Move: world.Move{Kind: model.Return, Event: returns(1)}}, {}, {Gone: []*world.Event{{Kind: model.Deliver, BornStep: 2}, returns(3)}},
	}
	var all []bool
	for step := range 5 {
		all = append(all, x.returned(step))
	}
	assert.Equal(t, []bool{false, true, false, true, false}, all)
}

// Each lost message counts, even if a node has sent an equal message again.
func TestLostOf(t *testing.T) {
	lost := func(to, sent int, label string) draw.Arrow {
		return draw.Arrow{From: 0, To: to, Sent: sent, End: 9, Label: label, Fate: draw.Lost}
	}
	x := watched(t, claims.MutualExclusion())
	first, again, other, another := lost(1, 2, "Ask"), lost(1, 4, "Ask"), lost(2, 4, "Ask"), lost(1, 4, "Tell")
	x.d.Arrows = []draw.Arrow{lost(1, 1, "Ask"), first, again, other, another, {From: 0, To: 1, Sent: 5, Fate: draw.Arrived}}
	assert.Equal(t, []draw.Arrow{first, other, another}, x.lostOf(0, 2, []draw.Arrow{again}))
}

// In a run in time a hold of the monitor lasts up to its end, and at it unless that is open.
func TestHeldTimed(t *testing.T) {
	x := watched(t, claims.MutualExclusion())
	x.run.Trace.Time, x.run.Parts = model.Dense.String(), 2
	w := &watch{s: x, holds: map[string]hold{}, now: observation{instant: 3}}
	w.Hold("closed", model.Through(2))
	w.Hold("open", model.Below(2))
	for at, want := range map[world.Time][2]bool{3: {true, true}, 6: {true, true}, 7: {true, false}, 8: {false, false}} {
		w.now.instant = at
		assert.Equal(t, want, [2]bool{w.Held("closed"), w.Held("open")}, at)
	}
}

// Faults of a node are listed for this node only. Its state after a step is its last known state.
func TestStruck(t *testing.T) {
	x := watched(t, claims.MutualExclusion())
	move := func(kind model.EventKind, id model.NodeID) world.Record {
		return world.Record{Node: id, Move: world.Move{Kind: kind, Node: id}, After: &idle{}}
	}
	x.run.Records = []world.Record{move(model.Crash, a), move(model.Crash, b), move(model.Restart, a), move(model.Stop, c), move(model.Crash, a)}
	x.d.Rows = make([]draw.Row, 6)
	for i := range x.d.Rows {
		x.d.Rows[i].Who, x.d.Rows[i].What = "it", "falls"
	}
	x.blamed = map[int]bool{}
	assert.Equal(t, []string{"it falls (step 3)"}, x.crashes(a, 1, 4))
	assert.Equal(t, map[int]bool{3: true}, x.blamed)
	assert.False(t, x.unchanged(3))
	x.run.Records[2].Before = &idle{}
	assert.True(t, x.unchanged(3))
}
