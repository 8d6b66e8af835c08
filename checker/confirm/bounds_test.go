package confirm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search"
	"contend/checker/search/runs"
	"contend/model"
	"contend/model/world"
)

func ticks(n int64) instant { return instant{ticks: n} }

// The earliest times keep to all bounds, whatever their order, or there are none: a cycle pushes itself on, or the
// start would come later.
func TestSolve(t *testing.T) {
	half := &world.Event{Window: open(0, 1)}
	for name, c := range map[string]struct {
		records  int
		bounds   []bound
		absorbed *world.Event
		room     int64
		times    []world.Time // in parts
		parts    int64
		ok       bool
	}{
		"no bounds":                           {records: 2, times: []world.Time{0, 0}, parts: 1, ok: true},
		"one after the other":                 {records: 2, bounds: []bound{{0, 1, ticks(2)}, {1, 2, ticks(3)}}, times: []world.Time{2, 5}, parts: 1, ok: true},
		"the last first":                      {records: 3, bounds: []bound{{2, 3, ticks(1)}, {1, 2, ticks(1)}, {0, 1, ticks(1)}}, times: []world.Time{1, 2, 3}, parts: 1, ok: true},
		"the latest counts":                   {records: 1, bounds: []bound{{0, 1, ticks(2)}, {0, 1, ticks(7)}, {0, 1, ticks(3)}}, times: []world.Time{7}, parts: 1, ok: true},
		"strictly after":                      {records: 2, bounds: []bound{{0, 1, instant{1, 1}}, {1, 2, instant{0, 1}}}, times: []world.Time{4, 5}, parts: 3, ok: true},
		"a bound from above that is met":      {records: 1, bounds: []bound{{0, 1, ticks(2)}, {1, 0, ticks(-2)}}, times: []world.Time{2}, parts: 1, ok: true},
		"a bound from above that is not met":  {records: 1, bounds: []bound{{0, 1, ticks(2)}, {1, 0, ticks(-1)}}},
		"strictly before the same":            {records: 1, bounds: []bound{{0, 1, ticks(2)}, {1, 0, instant{-2, 1}}}},
		"a cycle beside the start":            {records: 2, bounds: []bound{{1, 2, ticks(1)}, {2, 1, ticks(0)}}},
		"the start would come later":          {records: 1, bounds: []bound{{1, 0, ticks(1)}}},
		"absorbed between whole ticks":        {records: 1, bounds: []bound{{0, 1, ticks(3)}}, absorbed: half, times: []world.Time{6}, parts: 2, ok: true},
		"absorbed from a whole tick on":       {records: 1, absorbed: &world.Event{Window: model.Window{Hi: model.Below(1)}}, times: []world.Time{0}, parts: 1, ok: true},
		"absorbed up to a whole tick":         {records: 1, absorbed: &world.Event{Window: model.Window{Lo: model.Below(0), Hi: model.Through(1)}}, times: []world.Time{0}, parts: 1, ok: true},
		"room for what comes after":           {records: 1, bounds: []bound{{0, 1, ticks(1)}}, room: 3, times: []world.Time{4}, parts: 4, ok: true},
		"room beside parts for strict bounds": {records: 1, bounds: []bound{{0, 1, instant{1, 1}}}, room: 3, times: []world.Time{6}, parts: 5, ok: true},
	} {
		t.Run(name, func(t *testing.T) {
			run := &Run{Records: make([]world.Record, c.records), Absorbed: map[*world.Event]int{}, room: c.room}
			if c.absorbed != nil {
				run.Absorbed[c.absorbed] = 0
				run.Absorbed[&world.Event{}] = 0 // another, of which nothing comes
			}
			times, parts, ok := solve(run, c.bounds)
			assert.Equal(t, c.ok, ok)
			if c.ok {
				assert.Equal(t, c.times, times)
				assert.Equal(t, c.parts, parts)
			}
		})
	}
}

// event makes one of a window from lo through hi, that came about in a step.
func event(step int, lo, hi model.Ticks) *world.Event {
	return &world.Event{Kind: model.Deliver, BornStep: step, Window: model.Between(lo, hi)}
}

// pending makes a world in which messages are in flight that were sent as it began, with windows from lo to hi.
func pending(t *testing.T, messages int) *world.World {
	t.Helper()
	w, err := world.New(system(model.Between(1, 4), actor{start: func(_ *actor, env model.Env) {
		for i := range messages {
			env.Send(0, i)
		}
	}}), nil, world.Options{})
	require.NoError(t, err)
	require.Len(t, w.Pending(), messages)
	return w
}

// Each record is bound by what came before it on the way, its event's window and what it was told of holds. What the
// search absorbed has a time of its own: after the step from which on nothing came of it, and before the next on the way.
func TestBoundsOfRecords(t *testing.T) {
	first, before, between, last, lost := event(0, 1, 2), event(0, 1, 2), event(0, 3, 4), event(1, 5, 6), event(0, 7, 8)
	run := &Run{World: pending(t, 0), names: newNames(), way: []int{0, 3, 4, 5}, dropped: map[*world.Event]int{},
		Absorbed: map[*world.Event]int{before: 0, between: 1, last: 2}, // the last was on the way all the same
		Records: []world.Record{
			{Move: world.Move{Kind: model.Deliver, Event: first}},
			{Move: world.Move{Kind: model.Deliver, Event: before}},
			{Move: world.Move{Kind: model.Deliver, Event: between}},
			{Move: world.Move{Kind: model.Deliver, Event: last}},
			{Move: world.Move{Kind: model.Lose, Event: lost}},
			{Move: world.Move{Kind: model.Crash}, Held: []world.HeldAnswer{
				{Since: 1, Length: model.Through(9), Held: true}, {Since: 2, Length: model.Below(10), Held: false}}},
		}}
	assert.Equal(t, []bound{
		{0, 1, ticks(0)}, {0, 1, ticks(1)}, {1, 0, ticks(-2)},
		{0, 2, ticks(0)}, {2, 4, ticks(0)}, {0, 2, ticks(1)}, {2, 0, ticks(-2)},
		{1, 3, ticks(0)}, {3, 4, ticks(0)}, {0, 3, ticks(3)}, {3, 0, ticks(-4)},
		{1, 4, ticks(0)}, {1, 4, ticks(5)}, {4, 1, ticks(-6)},
		{4, 5, ticks(0)},
		{5, 6, ticks(0)}, {6, 1, ticks(-9)}, {2, 6, ticks(10)},
	}, bounds(run))
}

// What was taken away, and what is pending in the end, bounds the last step from above, or, if nothing came of it from
// some step on, that step. What the search absorbed because it came too late has to come late.
func TestBoundsOfWhatDoesNotFire(t *testing.T) {
	w := pending(t, 5)
	all := w.Pending()
	alive, absorbed, optional, late, forever := all[0], all[1], all[2], all[3], all[4]
	optional.Optional, late.Optional, forever.Optional = true, true, true
	late.Window.Hi, forever.Window = model.Below(4), model.Anytime()
	moved, gone := event(1, 2, 3), event(1, 2, 5)
	n := newNames()
	run := &Run{World: w, names: n, Records: make([]world.Record, 3), way: []int{0, 1, 2},
		Absorbed: map[*world.Event]int{absorbed: 1, late: 2, forever: 2, gone: 1}, dropped: map[*world.Event]int{moved: 2, gone: 3}}
	n.count(alive)
	n.count(late)
	n.count(forever)
	ways := []bound{{0, 1, ticks(0)}, {1, 2, ticks(0)}, {2, 3, ticks(0)}}
	list := bounds(run)
	assert.Equal(t, ways, list[:3])
	assert.ElementsMatch(t, []bound{{2, 1, ticks(-3)}, {1, 1, ticks(-5)}}, list[3:5], "up to the step that took it away, or to that from which on nothing came of it")
	assert.Equal(t, []bound{{3, 0, ticks(-4)}, {1, 0, ticks(-4)}, {0, 2, ticks(4)}}, list[5:], "in flight; absorbed; late, from an open end on")

	late.Window.Hi = model.Through(4)
	assert.Equal(t, bound{0, 2, instant{4, 1}}, bounds(run)[7], "past a closed end")
	delete(n.number, late)
	assert.Len(t, bounds(run), 7, "one that the search never knew came neither late nor in time")
	n.count(optional)
	assert.Len(t, bounds(run), 7, "nor does what it did not absorb")
}

// A candidate that is pinned has the times that its steps add up to, in parts of a tick, or none.
func TestPinned(t *testing.T) {
	run := &Run{World: pending(t, 0), names: newNames(), Absorbed: map[*world.Event]int{}, way: []int{0, 1},
		Records: []world.Record{{Move: world.Move{Kind: model.Timeout, Event: event(0, 1, 2)}}, {Move: world.Move{Kind: model.Timeout, Event: event(1, 1, 2)}}}}
	for _, c := range []struct {
		delays [2]int
		times  []world.Time
	}{
		{[2]int{3, 6}, []world.Time{3, 9}},
		{[2]int{5, 4}, []world.Time{5, 9}},
		{[2]int{2, 6}, nil},
		{[2]int{7, 6}, nil},
		{[2]int{3, 2}, nil},
		{[2]int{3, 7}, nil},
	} {
		pinned := search.Candidate{Pinned: true, Parts: 3, Steps: []runs.Step{{Delay: c.delays[0]}, {Delay: c.delays[1]}}}
		times, parts, ok := earliest(run, pinned)
		assert.Equal(t, c.times, times, "%v", c.delays)
		if ok {
			assert.EqualValues(t, 3, parts)
		}
	}
}

// The times of the search are taken for a claim of probability only: a step's is the sum of the delays up to it.
func TestGiven(t *testing.T) {
	c := search.Candidate{Steps: []runs.Step{{Delay: 2}, {Delay: 0}, {Delay: 5}}}
	times, parts, ok := given(about(model.AlmostSurely, 1), c)
	assert.Equal(t, []world.Time{2, 2, 7}, times)
	assert.EqualValues(t, 1, parts)
	assert.True(t, ok)
	_, _, ok = given(about(model.Eventually, 1), c)
	assert.False(t, ok)
}
