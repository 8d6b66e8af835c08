package why

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/claims"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/replay"
)

// happened returns a scene of three nodes with the given steps and messages.
func happened(t *testing.T, records []world.Record, arrows ...draw.Arrow) *scene {
	t.Helper()
	x := watched(t, claims.MutualExclusion())
	x.run.Records, x.d.Arrows = records, arrows
	x.d.Rows = make([]draw.Row, len(records)+1)
	for i, r := range records {
		x.d.Rows[i+1].Lane, x.d.Rows[i+1].At = int(r.Node), float64(i)
	}
	x.blamed, x.quietSteps = map[int]bool{}, map[int]bool{}
	return x
}

// Each kind of trigger of a handler has its description.
func TestOccasion(t *testing.T) {
	x := watched(t, claims.MutualExclusion())
	for want, m := range map[string]world.Move{
		"its alarm 3 fires":                       {Kind: model.Timeout, Event: &world.Event{Value: 3}},
		"its application invokes 3":               {Kind: model.Invoke, Event: &world.Event{Value: 3}},
		"it is told that b is down":               {Kind: model.Suspect, Event: &world.Event{Value: b}},
		"it is told that b is up":                 {Kind: model.Trust, Event: &world.Event{Value: b}},
		"it is told, wrongly, that c is down":     {Kind: model.Mistake, Value: c},
		"it is back":                              {Kind: model.Restart},
		"it crashes":                              {Kind: model.Crash},
		"this happens: " + model.Release.String(): {Kind: model.Release},
	} {
		assert.Equal(t, want, x.occasion(m))
	}
	assert.Equal(t, "it crashes", x.occasion(world.Move{Kind: model.Stop}))
}

type state struct{ Value, Other int }

// Between two steps of a node the sentence names the results of its holds, otherwise the changes of its
// state.
func TestBetween(t *testing.T) {
	asks := func(held ...world.HeldAnswer) world.Record {
		return world.Record{Node: a, Before: &state{1, 2}, After: &state{1, 2}, Held: held}
	}
	from := world.Record{Node: a, Before: &state{1, 1}, After: &state{1, 2}}
	for _, test := range []struct {
		timed bool
		from  world.Record
		to    world.Record
		want  []string
	}{
		{false, from, asks(world.HeldAnswer{Since: 1, Held: true}), []string{"At step 3 a found its hold of step 1 still lasting."}},
		{false, from, asks(world.HeldAnswer{Since: 1}), []string{"At step 3 a found its hold of step 1 over."}},
		{true, from, asks(world.HeldAnswer{Since: 2}), []string{"At step 3 a found its hold of step 2 over, 1 tick after it had begun."}},
		{true, from, asks(world.HeldAnswer{Since: 1}, world.HeldAnswer{Since: 2, Held: true}), []string{"At step 3 a found its hold of step 1 over, 2 ticks after it had begun.", "At step 3 a found its hold of step 2 still lasting."}},
		{false, from, asks(world.HeldAnswer{Key: model.Latest{}, Since: 1, Held: true}), []string{"At step 3 a asked about its hold of step 1, which by its clock lasted or was over."}},
		{false, from, world.Record{Node: a, Before: &state{1, 2}, Held: []world.HeldAnswer{{Key: model.Latest{}, Since: 1, Held: true}}, Choices: []world.Choice{{Of: 2, Is: 0, What: "choose"}}},
			[]string{"At step 3 a found its hold of step 1 still lasting; its clock drifts, so it may have found otherwise."}},
		{false, from, world.Record{Node: a, Before: &state{1, 2}, Held: []world.HeldAnswer{{Key: model.Latest{}, Since: 1, Held: true}}, Choices: []world.Choice{{Of: 2, Is: 1, What: "choose"}}},
			[]string{"At step 3 a found its hold of step 1 over; its clock drifts, so it may have found otherwise."}},
		{false, from, asks(world.HeldAnswer{Since: 1, Watch: true}, world.HeldAnswer{Since: 2}), []string{"At step 3 a found its hold of step 2 over."}},
		{false, from, asks(world.HeldAnswer{Since: 1, Watch: true}), []string{"In between, nothing changed in the state of a: it had Value 1 and Other 2 (since step 1)."}},
		{false, from, world.Record{Node: a, Before: &state{1, 1}}, []string{"Before both, the state of a was the same: nothing told it of the first."}},
		{false, from, world.Record{Node: a, Before: &state{3, 2}}, []string{"In between its Value went from 1 to 3; before the second, it had Value 3 and Other 2 (since step 1)."}},
		{false, world.Record{Node: a, After: &state{1, 1}}, asks(), nil},
	} {
		x := happened(t, []world.Record{test.from, {Node: b}, test.to})
		if test.timed {
			x.run.Trace.Time = model.Dense.String()
		}
		x.explainMemory(a, 1, 3)
		assert.Equal(t, test.want, x.sentences)
	}
	x := happened(t, []world.Record{from, {Node: a, Move: world.Move{Kind: model.Crash}}, asks()})
	x.explainMemory(a, 1, 3)
	assert.Len(t, x.sentences, 1)
	assert.Contains(t, x.sentences[0], "(step 2)")
}

// A node that answered both is named with both answers: in one step, as a liar, or with its state changes
// between the two.
func TestBoth(t *testing.T) {
	steps := func() (all []world.Record) {
		for _, id := range []model.NodeID{a, b, c, c, a, b} {
			all = append(all, world.Record{Node: id, Before: &state{1, 1}, After: &state{1, 1}})
		}
		all[0].Move.Kind, all[1].Move.Kind = model.Invoke, model.Invoke
		return all
	}
	goes := func(id model.NodeID, step int) observation {
		return observation{Observation: model.Observation{Kind: model.Returned, Node: id}, step: step}
	}
	to := func(id model.NodeID, sent, end int, label string) draw.Arrow {
		return draw.Arrow{From: 2, To: int(id), Sent: sent, End: end, Label: label, Value: label}
	}
	for _, test := range []struct {
		arrows []draw.Arrow
		liar   bool
		want   []string
	}{
		{[]draw.Arrow{to(a, 3, 5, "Yes"), to(b, 3, 6, "Yes")}, false, []string{"c let both go on in one step, step 3: it sent Yes to a and Yes to b."}},
		{[]draw.Arrow{to(a, 4, 5, "Yes"), to(b, 3, 6, "Yes")}, false, []string{"c answered both: it sent Yes to b at step 3, and it sent Yes to a at step 4.", "Before both, the state of c was the same: nothing told it of the first."}},
		{[]draw.Arrow{to(a, 3, 5, "Yes"), to(b, 4, 6, "Yes")}, true, []string{"c, which is Byzantine, told both: it sent Yes to a at step 3, and it sent Yes to b at step 4."}},
		{[]draw.Arrow{to(a, 3, 5, "Yes"), to(b, 4, 6, "No")}, false, []string{
			"c answered both: it sent Yes to a at step 3, and it sent No to b at step 4.", "Before both, the state of c was the same: nothing told it of the first.",
			"What a had got when it went on: Yes of c, sent at step 3, which arrived at step 5.", "What b had got when it went on: No of c, sent at step 4, which arrived at step 6.",
		}},
		{[]draw.Arrow{to(a, 3, 5, "Yes"), {From: 1, To: 1, Sent: 4, End: 6, Label: "Yes", Value: "Yes"}}, false, []string{
			"Nobody answered both.", "What a had got when it went on: Yes of c, sent at step 3, which arrived at step 5.", "What b had got when it went on: Yes of b, sent at step 4, when the 0 of b, invoked at step 2, had not returned, which arrived at step 6.",
		}},
		{nil, false, []string{"When a went on, it had heard from nobody since its operation began at step 1.", "When b went on, it had heard from nobody since its operation began at step 2."}},
	} {
		x := happened(t, steps(), test.arrows...)
		for i := range x.run.Records[:2] {
			x.run.Records[i].Move.Event = &world.Event{Value: 0}
		}
		x.d.Lanes[2].Byzantine = test.liar
		x.explainPair(goes(a, 5), goes(b, 6))
		assert.Equal(t, test.want, x.sentences)
	}
}

// A message is only forwarded if an equal message arrived in the step that sent it, at its sender.
func TestPassedOn(t *testing.T) {
	came := draw.Arrow{From: 2, To: 0, Sent: 1, End: 3, Label: "Ask"}
	lost, other, late, elsewhere := came, came, came, came
	lost.Fate, other.Label, late.End, elsewhere.To = draw.Lost, "Tell", 4, 1
	for _, b := range []draw.Arrow{lost, other, late, elsewhere} {
		assert.Empty(t, happened(t, nil, b).describeForward(draw.Arrow{From: 0, To: 1, Sent: 3, Label: "Ask"}))
	}
	assert.Equal(t, ", just as it had come from c", happened(t, nil, lost, came).describeForward(draw.Arrow{From: 0, To: 1, Sent: 3, Label: "Ask"}))
}

// A message is overtaken by the first message that was sent after it and arrived before it. That message is
// from the same node, or was caused by a message from it.
func TestOvertaker(t *testing.T) {
	records := []world.Record{{Node: a}, {Node: c}, {Node: a}, {Node: b}, {Node: b}, {Node: b}}
	slow := draw.Arrow{From: 0, To: 1, Sent: 1, End: 6, Label: "slow"}
	fast := draw.Arrow{From: 0, To: 1, Sent: 3, End: 4, Label: "fast"}
	led := draw.Arrow{From: 0, To: 2, Sent: 1, End: 2, Label: "led"}
	through := draw.Arrow{From: 2, To: 1, Sent: 2, End: 5, Label: "through"}
	with := func(a draw.Arrow, change func(a *draw.Arrow)) draw.Arrow { change(&a); return a }
	for i, test := range []struct {
		slow   draw.Arrow
		others []draw.Arrow
		broken int
		want   string
	}{
		{slow, []draw.Arrow{fast}, 6, "fast"}, {slow, []draw.Arrow{fast}, 4, "fast"}, {slow, []draw.Arrow{fast}, 3, ""},
		{slow, []draw.Arrow{led, through}, 6, "through"}, {slow, []draw.Arrow{through}, 6, ""},
		{with(slow, func(a *draw.Arrow) { a.Fate, a.End = draw.InFlight, 0 }), []draw.Arrow{fast}, 6, "fast"},
		{with(slow, func(a *draw.Arrow) { a.Fate = draw.Lost }), []draw.Arrow{fast}, 6, ""},
		{with(slow, func(a *draw.Arrow) { a.From = 1 }), []draw.Arrow{with(fast, func(a *draw.Arrow) { a.From = 1 })}, 6, ""},
		{slow, []draw.Arrow{with(fast, func(a *draw.Arrow) { a.To = 2 })}, 6, ""},
		{slow, []draw.Arrow{with(fast, func(a *draw.Arrow) { a.Fate = draw.Doubled })}, 6, ""},
		{slow, []draw.Arrow{with(fast, func(a *draw.Arrow) { a.Sent = 1 })}, 6, ""},
		{slow, []draw.Arrow{with(fast, func(a *draw.Arrow) { a.End = 6 })}, 6, ""},
		{with(slow, func(a *draw.Arrow) { a.Sent = 0 }), []draw.Arrow{{From: 1, To: 1, Sent: 1, End: 5, Label: "own"}}, 6, ""},
	} {
		x := happened(t, records, append(test.others, test.slow)...)
		by, found := x.overtaker(test.slow, test.broken)
		assert.Equal(t, test.want != "", found, i)
		if found {
			assert.Equal(t, test.want, by.Label, i)
		}
	}
}

// A node that answered before it learned of an earlier operation is named, with the message that would have
// informed it.
func TestUnaware(t *testing.T) {
	records := []world.Record{{Node: a}, {Node: c}, {Node: b}, {Node: c}, {Node: b}, {Node: c}, {Node: c}}
	records[0].Move.Kind, records[2].Move.Kind = model.Invoke, model.Invoke
	op := func(id model.NodeID, from, to int) operation {
		return operation{observation{Observation: model.Observation{Node: id}, step: from}, &observation{Observation: model.Observation{Kind: model.Returned, Node: id}, step: to}}
	}
	answer := draw.Arrow{From: 2, To: 1, Sent: 4, End: 5, Label: "Old", Value: "Old"}
	for _, test := range []struct {
		tells draw.Arrow
		told  bool
	}{
		{draw.Arrow{From: 0, To: 2, Sent: 1, End: 6}, true},
		{draw.Arrow{From: 0, To: 2, Sent: 1, End: 0, Fate: draw.InFlight}, true},
		{draw.Arrow{From: 0, To: 2, Sent: 1, End: 2}, false}, {draw.Arrow{From: 0, To: 2, Sent: 1, End: 4}, false},
		{draw.Arrow{From: 0, To: 2, Sent: 0, End: 6}, false},
		{draw.Arrow{From: 0, To: 2, Sent: 5, End: 6}, false},
		{draw.Arrow{From: 1, To: 2, Sent: 3, End: 6}, false},
		{draw.Arrow{From: 0, To: 1, Sent: 1, End: 6}, false},
		{draw.Arrow{From: 1, To: 2, Sent: 5, End: 6}, false},
		{draw.Arrow{From: 1, To: 2, Sent: 3, End: 6}, false}, // this node knows of it, and has this operation itself
	} {
		test.tells.Label = "New"
		x := happened(t, records, draw.Arrow{From: 0, To: 1, Sent: 1, End: 3}, answer, test.tells, test.tells)
		for i := range x.d.Rows {
			x.d.Rows[i].Who, x.d.Rows[i].What = "it", "goes on"
		}
		x.explainUnaware(op(a, 1, 7), op(b, 3, 5))
		var want []string
		if test.told {
			want = []string{"c sent Old to b at step 4, before it got New, which a had sent to it at step 1 (it: goes on)."}
		}
		assert.Equal(t, want, x.sentences, "%+v", test.tells)
	}
}

// The way of a value to a node is described, unless the node delivered the value that it created itself.
func TestTraced(t *testing.T) {
	for kind, told := range map[model.ObservationKind]bool{model.Delivered: false, model.Invoked: true} {
		for value, own := range map[int]bool{7: true, 8: false} {
			x := happened(t, []world.Record{{Node: a, Move: world.Move{Kind: model.Invoke, Event: &world.Event{Value: 7}}}}, draw.Arrow{From: 1, To: 0, End: 2, Fate: draw.InFlight, Label: "Seven", Value: numbered{7, nil}})
			x.seen = []observation{{Observation: model.Observation{Kind: kind, Node: a, Value: value}, step: 1}}
			x.explainPath(observation{Observation: model.Observation{Node: a, Value: 7}}, 1)
			assert.Equal(t, told || !own, len(x.sentences) > 0, "%v %d: %v", kind, value, x.sentences)
		}
	}
}

// In a lasso a waiting node receives messages in each round, from its first step on, or never.
func TestHears(t *testing.T) {
	for loop, want := range map[int]bool{0: false, 1: true, 2: true, 3: false} {
		x := happened(t, make([]world.Record, 3), draw.Arrow{From: 1, To: 0, Sent: 1, End: 2, Label: "Yes"}, draw.Arrow{From: 1, To: 2, Sent: 2, End: 3, Label: "Yes"})
		x.run.Trace.Loop = loop
		assert.Equal(t, want, x.explainLoop(0), loop)
		assert.Equal(t, want, len(x.sentences) > 0, loop)
	}
}

// Something came of a step if anything did.
func TestQuiet(t *testing.T) {
	e := []*world.Event{{}}
	for i, r := range []world.Record{
		{Sent: e}, {Observations: []model.Observation{{}}}, {Armed: e}, {Holds: make([]world.Countdown, 1)}, {Gone: e}, {Sent: e, Armed: e, Holds: make([]world.Countdown, 2)},
		{Armed: e, Holds: make([]world.Countdown, 1)}, {Sent: e, Gone: e},
	} {
		r.Before, r.After = &state{}, &state{}
		assert.False(t, happened(t, []world.Record{r}).quiet(1), i)
	}
	assert.True(t, happened(t, []world.Record{{Before: &state{}, After: &state{}}}).quiet(1))
	assert.False(t, happened(t, []world.Record{{Before: &state{}, After: &state{1, 1}}}).quiet(1))
	assert.False(t, happened(t, nil).quiet(0))
}

// A teller describes its own state.
type teller struct {
	A int
	C struct{ D int }
}

func (*teller) Fields(describe.Names) []describe.Field {
	return []describe.Field{{Name: "A.B", Is: "1"}}
}
func (*teller) Changes(model.Node, describe.Names) (changes []describe.Change) { return nil }
func (*teller) Compared(describe.Names) []describe.Field                       { return nil }

// For a node that notes its own state the sentence names the whole state where it violates an invariant. It
// cannot state that the state has not changed.
func TestTeller(t *testing.T) {
	claim := model.Claim{Name: "few", Kind: model.Always, Invariant: func([]model.Node) error { return errors.New("too many") }}
	x := watched(t, claim)
	assert.Empty(t, x.relevantFields([]model.NodeID{a}, []model.Node{&teller{A: 1}, nil, nil}))
	assert.Equal(t, "A.B 1", x.describeRelevant(&teller{}, nil))
	x.run.Records = []world.Record{{Before: &teller{}, After: &teller{}}}
	assert.False(t, x.unchanged(1))
	assert.Zero(t, x.explainWrite(b, 1, nil))
}

// Left and Right are nodes within another, and have a field of one name.
type (
	Left  struct{ Held int }
	Right struct{ Held int }
	twice struct {
		Left
		Right
	}
)

func (*Left) Receive(model.Env, model.NodeID, any)  {}
func (*Right) Receive(model.Env, model.NodeID, any) {}
func (*twice) Receive(model.Env, model.NodeID, any) {}

// A field name that two fields share is not cleared: it is unknown which field matters.
func TestFieldsOfOneName(t *testing.T) {
	claim := model.Claim{Name: "few", Kind: model.Always, Invariant: func(all []model.Node) error {
		if n, is := all[0].(*twice); is && n.Left.Held > 0 {
			return errors.New("too many")
		}
		return nil
	}}
	x := watched(t, claim)
	assert.Empty(t, x.relevantFields([]model.NodeID{a}, []model.Node{&twice{Left{1}, Right{2}}, nil, nil}))
}

// An orderer orders all operations.
type orderer struct{ Seen int }

func (o *orderer) Observe(model.Watch, model.Observation) { o.Seen++ }
func (*orderer) Order(history []model.Observation) (all []int) {
	for i, o := range history {
		if o.Kind != model.Returned {
			all = append(all, i)
		}
	}
	return all
}

// If an order includes all operations, the sentence names the violating step. Without a violation there is no
// sentence.
func TestOrderOfAll(t *testing.T) {
	claim := model.Claim{Name: "coin", Kind: model.Linearizable, Object: coin, Monitor: func(*model.System) model.Monitor { return &orderer{} }}
	x := watched(t, claim, model.Observation{Kind: model.Invoked, Node: a}, model.Observation{Kind: model.Returned, Node: a})
	x.explainOrder()
	assert.Empty(t, x.sentences)
	x.run.World.Violations = []world.Violation{{Claim: "another", Text: "it is none", Step: 0}, {Claim: "coin", Text: "it is none", Step: 1}}
	x.d.Rows = []draw.Row{{}, {Line: x.d.Rows[0].Line}}
	x.d.Rows[1].Who, x.d.Rows[1].What = "a", "tosses"
	x.explainOrder()
	assert.Equal(t, []string{"It breaks at step 1: a: tosses."}, x.sentences)
	x.claim = model.Claim{Name: "unwatched"}
	x.explainOrder()
	assert.Len(t, x.sentences, 1)
}

// A baffled orderer finds no order in time.
type baffled struct{ orderer }

func (*baffled) Order([]model.Observation) []int { return nil }

// If no order was found there is no sentence about an order. In particular, it does not claim that no
// operation can come first.
func TestNoOrderIsFound(t *testing.T) {
	claim := model.Claim{Name: "coin", Kind: model.Linearizable, Object: coin, Monitor: func(*model.System) model.Monitor { return &baffled{} }}
	x := watched(t, claim, model.Observation{Kind: model.Invoked, Node: a}, model.Observation{Kind: model.Returned, Node: a})
	x.run.World.Violations = []world.Violation{{Claim: "coin", Text: "it is none", Step: 2}}
	x.d.Rows = []draw.Row{{}, {}, {Line: x.d.Rows[0].Line}}
	x.d.Rows[2].Who, x.d.Rows[2].What = "a", "tosses"
	x.explainOrder()
	assert.Equal(t, []string{"It breaks at step 2: a: tosses."}, x.sentences)
}

// Of the operations without a place the sentence names the operation that returned last, up to the violating
// step.
func TestStuck(t *testing.T) {
	x := watched(t, claims.MutualExclusion(), model.Observation{Kind: model.Invoked, Node: a}, model.Observation{Kind: model.Invoked, Node: b}, model.Observation{Kind: model.Invoked, Node: c},
		model.Observation{Kind: model.Returned, Node: b}, model.Observation{Kind: model.Noted, Node: c}, model.Observation{Kind: model.Returned, Node: c}, model.Observation{Kind: model.Returned, Node: a})
	history, plain := x.history(6)
	assert.Len(t, history, 5)
	assert.Len(t, plain, 5)
	last, found := x.stuck(history, nil)
	assert.True(t, found)
	assert.Equal(t, c, last.call.Node)
	history, _ = x.history(7)
	last, _ = x.stuck(history, nil)
	assert.Equal(t, a, last.call.Node)
	last, _ = x.stuck(history, []int{0})
	assert.Equal(t, c, last.call.Node)
	_, found = x.stuck(history, []int{0, 1, 2})
	assert.False(t, found)
}

// The continuation of a run after a point of no return is described as far as it is known.
func TestEnds(t *testing.T) {
	for want, no := range map[string]*traces.NoReturn{
		"": nil,
		"The goal cannot be reached from the beginning.":                              {},
		"The goal cannot be reached from the beginning, perhaps earlier already.":     {AtLatest: true},
		"After step 2 the goal cannot be reached any more.":                           {After: 2},
		"The goal could be reached even from the end, but the run does not go there.": {After: -1},
	} {
		x := happened(t, make([]world.Record, 3))
		x.run.Trace.NoReturn, x.run.Trace.Text = no, "it is not"
		x.explainEnd()
		assert.Equal(t, want, strings.Join(x.sentences, "\n"))
	}
	for _, last := range []struct {
		text string
		told int
	}{{"it is not", 0}, {"", 1}} {
		x := happened(t, make([]world.Record, 3))
		x.run.Trace.NoReturn, x.run.Trace.Text = &traces.NoReturn{After: 3}, last.text
		x.explainEnd()
		assert.Len(t, x.sentences, last.told)
	}
}

// Only observations of the same node, in the same way, of the same value are equal. A node's messages of one
// step form a kind.
func TestSameNode(t *testing.T) {
	notes := model.Observation{Kind: model.Noted, Node: a, Value: 7}
	x := watched(t, claims.MutualExclusion(), notes)
	for _, other := range []model.Observation{{Kind: model.Delivered, Node: a, Value: 7}, {Kind: model.Noted, Node: b, Value: 7}, {Kind: model.Noted, Node: a, Value: 8}} {
		assert.False(t, x.observedBefore(observation{Observation: other}))
	}
	assert.True(t, x.observedBefore(observation{Observation: notes}))

	x.d.Arrows = []draw.Arrow{{From: 0, Sent: 1, Value: "ask"}, {From: 1, Sent: 1, Value: "tell"}, {From: 0, Sent: 2, Value: "say"}, {From: 0, Sent: 0, Value: "go"}}
	assert.Equal(t, map[any]bool{"ask": true}, x.kinds(0, 1))
	assert.Empty(t, x.kinds(0, 0))
	assert.Empty(t, x.describeAnswers(0))
}

// There is no explanation for a run without a violation, or for an invalid run.
func TestNothingToSay(t *testing.T) {
	s := &model.System{Types: []any{0}, Nodes: []model.NodeSpec{{Name: "a", New: func() model.Node { return &idle{} }}}}
	w, err := world.New(s, nil, world.Options{})
	require.NoError(t, err)
	run := &replay.Run{Trace: &traces.Trace{Time: "untimed", Claim: "a claim"}, World: w, Title: "it is special"}
	assert.NotEmpty(t, Explain(run).Sentences)
	run.Diverged = &replay.Divergence{}
	assert.Empty(t, Explain(run).Sentences)
	run.Diverged, run.Trace.Claim = nil, ""
	assert.Empty(t, Explain(run).Sentences)
}

// A tally is the goal of a number of observations.
type tally struct{ Seen, of int }

func (g *tally) Observe(model.Watch, model.Observation) { g.Seen++ }
func (g *tally) Reached() bool                          { return g.Seen >= g.of }

// At most three missing events are listed.
func TestFewMissing(t *testing.T) {
	for of, want := range map[int]int{3: 1, 4: 2, 5: 3, 6: 0} {
		goal := model.Claim{Name: "goal", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &tally{of: of} }}
		x := watched(t, goal, model.Observation{Kind: model.Noted, Node: a, Value: 1}, model.Observation{Kind: model.Noted, Node: a, Value: 2})
		assert.Len(t, x.missing(), want, of)
	}
}

// What a delivery is owed before is a delivery at the same node.
func TestOwed(t *testing.T) {
	delivers := func(id model.NodeID, v int) model.Observation {
		return model.Observation{Kind: model.Delivered, Node: id, Op: -1, Value: v}
	}
	claim := model.Claim{Name: "in order", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &inOrder{} }}
	seen := []model.Observation{delivers(a, 1), delivers(a, 2), delivers(a, 3), {Kind: model.Noted, Node: a, Value: 2}, delivers(b, 1), delivers(b, 3)}
	x := watched(t, claim, seen...)
	assert.Equal(t, []any{2}, x.missingDeliveries(x.seen))
	x.claim.Causal = func(model.Observation) bool { return true }
	assert.Empty(t, x.missingDeliveries(x.seen))
}

// An inOrder is violated when a or b skips a number, unless c had 2 last.
type inOrder struct{ Last map[model.NodeID]int }

func (m *inOrder) Observe(w model.Watch, o model.Observation) {
	if o.Node != c && o.Value.(int) > m.Last[o.Node]+1 && m.Last[c] != 2 {
		w.Violate("it skips a number")
	}
	m.Last[o.Node] = o.Value.(int)
}

// What an answer led its receiver to send back had arrived before the other answer was sent.
func TestSentBack(t *testing.T) {
	records := []world.Record{{Node: c}, {Node: a, Before: &state{}, After: &state{1, 1}}, {Node: c}, {Node: c}}
	first := draw.Arrow{From: 2, To: 0, Sent: 1, End: 2, Label: "Yes"}
	back := draw.Arrow{From: 0, To: 2, Sent: 2, End: 3, Label: "Thanks"}
	for i, test := range []struct {
		first, back draw.Arrow
		by          int
		told        bool
	}{
		{first, back, 4, true}, {first, back, 3, true}, {first, back, 2, false},
		{first, draw.Arrow{From: 0, To: 2, Sent: 2, End: 3, Label: "Thanks", Fate: draw.Lost}, 4, false},
		{draw.Arrow{From: 2, To: 0, Sent: 1, End: 2, Label: "Yes", Fate: draw.Lost}, back, 4, false},
		{first, draw.Arrow{From: 1, To: 2, Sent: 2, End: 3, Label: "Thanks"}, 4, false}, {first, draw.Arrow{From: 0, To: 1, Sent: 2, End: 3, Label: "Thanks"}, 4, false},
		{draw.Arrow{From: 2, To: 0, Sent: 1, End: 3, Label: "Yes"}, back, 4, false},
	} {
		x := happened(t, records, test.first, test.back)
		x.explainReplies(test.first, test.by)
		assert.Equal(t, test.told, len(x.sentences) > 0, fmt.Sprint(i, x.sentences))
	}
}

// A message that is forwarded and does not arrive is not followed further: messages sent while it is in
// flight are not its effect.
func TestSentOnNotArrived(t *testing.T) {
	asks := draw.Arrow{From: 0, To: 1, Sent: 1, End: 2, Label: "Ask"}
	on := draw.Arrow{From: 1, To: 2, Sent: 2, End: 3, Label: "Pass", Fate: draw.InFlight}
	other := draw.Arrow{From: 2, To: 0, Sent: 3, End: 3, Label: "Say", Fate: draw.InFlight}
	x := happened(t, []world.Record{{Node: a}, {Node: b}, {Node: c}}, asks, on, other)
	assert.Equal(t, "Pass to c, which is still on its way", x.describeForwards(asks, 0))
}

// starter notes as it starts.
type starter struct{ Kept bool }

func (*starter) Start(env model.Env) { env.Note(7) }

// alarmed sets an alarm for each observed value.
type alarmed struct{ Seen int }

func (m *alarmed) Observe(w model.Watch, _ model.Observation) {
	m.Seen++
	w.After(7, model.Exactly(3))
}

func (m *alarmed) Expire(model.Watch, any) { m.Seen = 0 }

// That an alarm of a monitor rings is nothing that somebody does.
func TestLeftOutAlarm(t *testing.T) {
	s := &model.System{Types: []any{0}, Nodes: []model.NodeSpec{{Name: "a", New: func() model.Node { return &starter{} }}}}
	claim := model.Claim{Name: "rings", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &alarmed{} }}
	w, err := world.New(s, []model.Claim{claim}, world.Options{Timed: true, Parts: 1})
	require.NoError(t, err)
	require.NotEmpty(t, w.Pending())
	x := &scene{run: &replay.Run{Trace: &traces.Trace{Time: "untimed", Loop: 1}, World: w}}
	assert.Equal(t, "; all that is to happen happens within a round", x.describeLoop())
}

// The effects of a return were caused in the step that returned, and the other observations of this step in
// the step itself.
func TestCaused(t *testing.T) {
	x := happened(t, []world.Record{{}, {Move: world.Move{Kind: model.Return, Event: &world.Event{BornStep: 1}}}, {}})
	for kind, want := range map[model.ObservationKind][]int{model.Returned: {0, 1, 1, 3}, model.Noted: {0, 1, 2, 3}} {
		for step, want := range want {
			assert.Equal(t, want, x.caused(observation{Observation: model.Observation{Kind: kind}, step: step}), "%v %d", kind, step)
		}
	}
}

// A claim may be violated at the beginning of a run. If the run continues after that, later steps are not
// described.
func TestBeginning(t *testing.T) {
	x := watched(t, claims.MutualExclusion())
	x.explainStep()
	assert.Empty(t, x.sentences)
	x.run.World.Violations = []world.Violation{{Claim: x.claim.Name}}
	x.d.Rows = []draw.Row{{}}
	x.d.Rows[0].Who, x.d.Rows[0].What = "all", "start"
	x.explainStep()
	assert.Equal(t, []string{"It breaks at the start: all: start."}, x.sentences)
	x.end = 1
	assert.Empty(t, x.describeContinuation())
}
