package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample/stepper"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// option always gives one of the options, as far as there are so many.
type option int

func (o option) Choose(n int) int { return min(int(o), n-1) }

// Instants between two ends are multiples of the grain, if there is one; else it is the first.
func TestInstantsBetween(t *testing.T) {
	r := &run{c: option(100), style: style{grain: 4}}
	assert.Equal(t, world.Time(12), r.drawTime(5, 13))
	assert.Equal(t, world.Time(5), r.drawTime(5, 7))
}

// The first violation of a claim is kept. No more of them are looked for.
func TestTheFirstViolationIsKept(t *testing.T) {
	sm := &sampler{ignore: map[string]bool{}, open: map[string]bool{"it": true}}
	for i, steps := range []int{3, 2} {
		sm.recordViolations(Found{Schedule: i, Records: make([]world.Record, steps)}, []world.Violation{{Claim: "it"}})
	}
	require.Len(t, sm.result.Violations, 1)
	assert.Equal(t, 0, sm.result.Violations[0].Schedule)
	assert.Empty(t, sm.open)
}

// Handlers run twice in the first schedules, of which those of programs are fewer, and in every sixteenth from then on.
func TestWhichSchedulesRunTwice(t *testing.T) {
	for schedule, want := range map[int]bool{0: true, 63: true, 64: true, 65: false, 79: false, 80: true} {
		assert.Equal(t, want, runsTwice(schedule, false), "schedule %d", schedule)
	}
	for schedule, want := range map[int]bool{0: true, 15: true, 16: true, 17: false, 31: false, 32: true} {
		assert.Equal(t, want, runsTwice(schedule, true), "schedule %d", schedule)
	}
}

// A schedule that takes other moves when it runs again is another one, though nothing comes of them.
func TestOtherMovesAreSeen(t *testing.T) {
	sm := &sampler{system: &model.System{Nodes: []model.NodeSpec{{Name: "a"}, {Name: "b"}}}}
	step := func(node model.NodeID) world.Record {
		return world.Record{Move: world.Move{Kind: model.Deliver, Event: &world.Event{Kind: model.Deliver, Node: node, Value: 1}}}
	}
	assert.Equal(t, anotherMove, sm.difference(step(0), step(1)))
	assert.Empty(t, sm.difference(step(0), step(0)))
}

// What a step sent, set and showed is compared, and what it chose, when it is taken.
func TestOtherEffectsAreSeen(t *testing.T) {
	s := &model.System{}
	for _, name := range []string{"a", "b"} {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Server, New: func() model.Node { return &drawer{} }})
	}
	codec, err := value.For(s, nil)
	require.NoError(t, err)
	sm := &sampler{system: s, codec: codec}
	record := func() world.Record {
		return world.Record{
			Move: world.Move{Kind: model.Crash, Node: 1}, At: 2, Choices: []world.Choice{{Of: 3, Is: 1, What: "choose"}},
			Sent:         []*world.Event{{Kind: model.Deliver, Node: 1, Value: "m", Window: model.By(1)}},
			Armed:        []*world.Event{{Kind: model.Timeout, Node: 1, Value: "k", Window: model.By(1)}},
			Observations: []model.Observation{{Kind: model.Noted, Node: 1, Op: -1, Value: 5}},
		}
	}
	for name, c := range map[string]struct {
		change func(r *world.Record)
		want   string
	}{
		"nothing":         {func(*world.Record) {}, ""},
		"the time":        {func(r *world.Record) { r.At++ }, anotherMove},
		"the node":        {func(r *world.Record) { r.Move.Node = 0 }, anotherMove},
		"an answer":       {func(r *world.Record) { r.Choices[0].Is = 2 }, "its choices"},
		"no answer":       {func(r *world.Record) { r.Choices = nil }, "its choices"},
		"what is sent":    {func(r *world.Record) { r.Sent[0].Value = "n" }, "its effects"},
		"to whom":         {func(r *world.Record) { r.Sent[0].Node = 0 }, "its effects"},
		"nothing sent":    {func(r *world.Record) { r.Sent = nil }, "its effects"},
		"until when":      {func(r *world.Record) { r.Armed[0].Window = model.By(2) }, "its effects"},
		"which alarm":     {func(r *world.Record) { r.Armed[0].Value = "l" }, "its effects"},
		"what is shown":   {func(r *world.Record) { r.Observations[0].Value = 6 }, "its effects"},
		"how":             {func(r *world.Record) { r.Observations[0].Kind = model.Delivered }, "its effects"},
		"of which":        {func(r *world.Record) { r.Observations[0].Op = 0 }, "its effects"},
		"where":           {func(r *world.Record) { r.Observations[0].Node = 0 }, "its effects"},
		"shown once more": {func(r *world.Record) { r.Observations = append(r.Observations, r.Observations[0]) }, "its effects"},
	} {
		other := record()
		c.change(&other)
		assert.Equal(t, c.want, sm.difference(record(), other), name)
		assert.Equal(t, c.want, sm.difference(other, record()), name)
	}
}

// A live run that comes to another state than the interpreter by its decisions is not believed, though it breaks
// the same claims and reaches the same goals.
func TestALiveRunOfAnotherState(t *testing.T) {
	s, err := ricartagrawala.Protocol.System("", model.Config{N: 3})
	require.NoError(t, err)
	sm, err := newSampler(s, nil, Options{Schedules: 1, Seed: 1, Workers: 1, MaxSteps: 8})
	require.NoError(t, err)
	require.NoError(t, sm.live())
	x := stepper.NewLive(sm.setting, false, false, nil)
	r, suspected := sm.lead(x, 0, 0)
	require.NoError(t, r.err)
	require.Equal(t, TooLong, r.end)
	assert.True(t, sm.confirm(x, &r, suspected, 0, 0))
	_, err = x.World.Step(x.World.Moves()[0], 0, func(int, string) int { return 0 })
	require.NoError(t, err)
	assert.False(t, sm.confirm(x, &r, suspected, 0, 0))
	assert.NoError(t, r.err)
}
