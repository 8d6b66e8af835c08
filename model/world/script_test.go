package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// returns is a handler that returns each call at once.
var returns = acts{invoke: func(_ *puppet, env model.Env, op any) {
	if op != "leave" {
		env.Return(op)
	}
}}

// A recorder is a monitor that records its observations.
type recorder struct{ Saw []string }

func (m *recorder) Observe(_ model.Watch, o model.Observation) {
	m.Saw = append(m.Saw, o.Kind.String())
}

// An operation waits for its window, returns within the returned window, stays, and
// releases; the next one is counted from there.
func TestScript(t *testing.T) {
	s := system(client("c", returns,
		model.Op{Call: "first", After: model.Exactly(1), Release: "leave", Stay: model.Exactly(3)},
		model.Op{Call: "second", After: model.Exactly(2)}))
	s.Returned = model.Exactly(1)
	r := start(t, s, timed)
	for _, step := range []struct {
		at   world.Time
		kind model.EventKind
		saw  model.ObservationKind
		op   int
		is   any
	}{
		{1, model.Invoke, model.Invoked, 0, "first"},
		{2, model.Return, model.Returned, 0, "first"},
		{5, model.Release, model.Released, 0, "leave"},
		{7, model.Invoke, model.Invoked, 1, "second"},
		{8, model.Return, model.Returned, 1, "second"},
	} {
		require.False(t, r.Done())
		require.Len(t, r.Moves(), 1, "one thing at a time")
		rec := r.do(step.at, step.kind, 0)
		assert.Equal(t, []model.Observation{{Kind: step.saw, Node: 0, Op: step.op, Value: step.is}}, rec.Observations)
	}
	assert.True(t, r.Done())
	assert.Empty(t, r.Moves())
	assert.Equal(t, []string{"invoke first", "invoke leave", "invoke second"}, r.log(0), "a release is an Invoke of its own")
}

// A run whose last operation has yet to be released is not done.
func TestDoneWaitsForTheRelease(t *testing.T) {
	r := start(t, system(client("c", returns, model.Op{Call: "go", Release: "leave", Stay: model.Exactly(1)})), timed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Return, 0)
	require.False(t, r.Done())
	r.do(1, model.Release, 0)
	require.True(t, r.Done())
}

func TestReturnedWindow(t *testing.T) {
	s := system(client("c", returns, model.Op{Call: "go"}))
	s.Returned = model.Window{Lo: model.Below(1), Hi: model.Below(3)}
	r := start(t, s, halves)
	r.do(0, model.Invoke, 0)
	assert.ErrorContains(t, r.refused(2, r.of(model.Return, 0)), "its time is from 3 to 5")
	assert.Error(t, r.refused(6, r.of(model.Return, 0)))
	r.do(5, model.Return, 0)
}

// A node may return later than its Invoke, once for each invocation.
func TestReturnFromAnotherHandler(t *testing.T) {
	a := acts{
		invoke:  func(_ *puppet, env model.Env, _ any) { env.After("k", model.Exactly(4)) },
		timeout: func(_ *puppet, env model.Env, _ any) { env.Return("late") },
	}
	r := start(t, system(client("c", a, model.Op{Call: "go"})), timed)
	r.do(0, model.Invoke, 0)
	r.do(4, model.Timeout, 0)
	rec := r.do(4, model.Return, 0)
	assert.Equal(t, "late", rec.Observations[0].Value)
	assert.True(t, r.Done())
}

// A system without scripts is done. A system with a node that never returns is stuck.
func TestStuck(t *testing.T) {
	assert.True(t, start(t, system(server("s", acts{})), untimed).Done())
	progress := model.Claim{Name: "progress", Done: true}
	r := start(t, system(client("c", acts{}, model.Op{Call: "go"})), untimed, progress)
	require.False(t, r.Stuck())
	require.Empty(t, r.Violations)
	r.do(0, model.Invoke, 0)
	require.True(t, r.Stuck())
	require.Equal(t, []world.Violation{{Claim: "progress", Text: "nothing can happen any more, but a script is not done", Step: 1}}, r.Violations)
}

// What a handler hands out is a copy: changing it afterwards changes nothing.
func TestValuesAreCopied(t *testing.T) {
	s := system(client("c", acts{invoke: func(_ *puppet, env model.Env, _ any) {
		list := []int{1}
		env.Send(0, list)
		env.Note(list)
		env.Return(list)
		list[0] = 2
	}}, model.Op{Call: "go"}))
	s.Types = []any{[]int{}}
	r := start(t, s, untimed)
	rec := r.do(0, model.Invoke, 0)
	assert.Equal(t, []int{1}, rec.Sent[0].Value)
	assert.Equal(t, []int{1}, rec.Observations[1].Value)
	assert.Equal(t, []int{1}, r.event(model.Return, 0).Value)
}

// Start runs on every node before anything else, in the order of the nodes.
func TestStart(t *testing.T) {
	a := acts{start: func(p *puppet, env model.Env) { p.say("start"); env.Send(0, "up") }}
	r := start(t, system(server("a", a), server("b", a)), untimed)
	assert.Equal(t, []string{"start"}, r.log(0))
	assert.Equal(t, []string{"start"}, r.log(1))
	events := r.pending(model.Deliver, 0)
	require.Len(t, events, 2)
	assert.Equal(t, []model.NodeID{0, 1}, []model.NodeID{events[0].From, events[1].From})
}

// Choose and Draw ask the stream of choices, and the step keeps the answers.
func TestChoices(t *testing.T) {
	a := acts{invoke: func(p *puppet, env model.Env, _ any) { p.say("%d %d", env.Choose(3), env.Draw(5)) }}
	r := start(t, system(client("c", a, model.Op{Call: "go"})), untimed)
	rec := r.do(0, model.Invoke, 0, 2, 4)
	assert.Equal(t, []string{"invoke go", "2 4"}, r.log(0))
	assert.Equal(t, []world.Choice{{Of: 3, Is: 2, What: "choose"}, {Of: 5, Is: 4, What: "draw"}}, rec.Choices)
}
