package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// A window is honoured at both ends; an open end excludes its instant, by one part.
func TestWindows(t *testing.T) {
	w := func(lo, hi model.Bound) model.Window { return model.Window{Lo: lo, Hi: hi} }
	for _, tc := range []struct {
		window           model.Window
		opt              world.Options
		earliest, latest world.Time
		ok               bool
	}{
		{model.Between(1, 3), timed, 1, 3, true},
		{model.Exactly(2), timed, 2, 2, true},
		{model.Exactly(0), timed, 0, 0, true},
		{w(model.Below(1), model.Below(3)), timed, 2, 2, true},
		{w(model.Below(1), model.Below(3)), halves, 3, 5, true},
		{w(model.Through(1), model.Below(2)), timed, 1, 1, true},
		{w(model.Below(1), model.Through(2)), timed, 2, 2, true},
		{w(model.Below(1), model.Below(2)), halves, 3, 3, true},
		{w(model.Below(1), model.Below(2)), timed, 2, 1, false}, // too few parts
	} {
		r := start(t, system(client("c", acts{}, model.Op{After: tc.window})), tc.opt)
		m := r.of(model.Invoke, 0)
		earliest, latest, ok := r.Fires(m.Event)
		require.Equal(t, []any{tc.earliest, tc.latest, tc.ok}, []any{earliest, latest, ok}, "%v", tc.window)
		assert.Equal(t, tc.ok, len(r.Moves()) == 1)
		assert.Error(t, r.refused(tc.latest+1, m))
		if tc.earliest > 0 {
			assert.Error(t, r.refused(tc.earliest-1, m))
		}
		if tc.ok {
			r.move(tc.latest, m)
			assert.Equal(t, tc.latest, r.Now)
		}
	}
}

func TestAnytimeHasNoEnd(t *testing.T) {
	r := start(t, system(client("c", acts{}, model.Op{After: model.Window{Lo: model.Below(1), Hi: model.Anytime().Hi}})), timed)
	require.Error(t, r.refused(1, r.of(model.Invoke, 0)))
	r.do(1_000_000, model.Invoke, 0)
}

// Untimed, windows say nothing.
func TestUntimedIgnoresWindows(t *testing.T) {
	r := start(t, system(client("a", acts{}, model.Op{After: model.Exactly(5)}), client("b", acts{}, model.Op{After: model.Exactly(1)})), untimed)
	r.do(0, model.Invoke, 0)
	r.do(0, model.Invoke, 1)
}

// Two events at one instant fire in both orders.
func TestTies(t *testing.T) {
	for _, first := range []model.NodeID{0, 1} {
		r := start(t, system(client("a", acts{}, model.Op{After: model.Exactly(2)}), client("b", acts{}, model.Op{After: model.Exactly(2)})), timed)
		r.do(2, model.Invoke, first)
		r.do(2, model.Invoke, 1-first)
		assert.Equal(t, world.Time(2), r.Now)
	}
}

// Nothing fires after the deadline of another event; a closed deadline allows a tie,
// an open one does not.
func TestDeadlines(t *testing.T) {
	for _, tc := range []struct {
		hi     model.Bound
		latest world.Time
	}{{model.Through(2), 4}, {model.Below(2), 3}} {
		s := system(client("a", acts{}, model.Op{After: model.Anytime()}), client("b", acts{}, model.Op{After: model.Window{Hi: tc.hi}}))
		r := start(t, s, halves)
		deadline, open := r.Deadline()
		assert.Equal(t, []any{world.Time(4), tc.hi.Open}, []any{deadline, open})
		require.Error(t, r.refused(tc.latest+1, r.of(model.Invoke, 0)))
		r.do(tc.latest, model.Invoke, 0)
		r.do(tc.latest, model.Invoke, 1)
	}
}

// ringer returns a node that sets its alarm in Start, with the test's other handlers.
func ringer(a acts, w model.Window) *model.System {
	a.start = func(_ *puppet, env model.Env) { env.After("k", w) }
	return system(client("c", a, model.Op{Call: "go", After: model.Anytime()}))
}

func TestAfterMovesTheAlarm(t *testing.T) {
	r := start(t, ringer(acts{invoke: func(_ *puppet, env model.Env, _ any) { env.After("k", model.Exactly(3)) }}, model.Exactly(2)), timed)
	rec := r.do(1, model.Invoke, 0)
	require.Len(t, rec.Armed, 1)
	require.Len(t, r.pending(model.Timeout, 0), 1, "there is one alarm of a key")
	require.Error(t, r.refused(2, r.of(model.Timeout, 0)))
	r.do(4, model.Timeout, 0)
	assert.Equal(t, []string{"invoke go", "timeout k"}, r.log(0))
}

func TestAlarmsOfOtherKeysStay(t *testing.T) {
	r := start(t, ringer(acts{invoke: func(_ *puppet, env model.Env, _ any) {
		env.After("l", model.Exactly(1))
		env.Cancel("m")
	}}, model.Exactly(2)), timed)
	r.do(1, model.Invoke, 0)
	r.fire(2, r.pending(model.Timeout, 0)[1])
	r.do(2, model.Timeout, 0)
	assert.Equal(t, []string{"invoke go", "timeout l", "timeout k"}, r.log(0))
}

func TestCancel(t *testing.T) {
	r := start(t, ringer(acts{invoke: func(_ *puppet, env model.Env, _ any) {
		env.Cancel("k")
		env.Cancel("k") // not set any more: no harm
	}}, model.Exactly(2)), timed)
	r.do(0, model.Invoke, 0)
	assert.Empty(t, r.pending(model.Timeout, 0))
	assert.Empty(t, r.Moves())
}

// Inside its Timeout an alarm is not set: cancelling it does nothing, and setting it
// again makes it ring again.
func TestAFiredAlarmIsNotSet(t *testing.T) {
	r := start(t, ringer(acts{timeout: func(p *puppet, env model.Env, key any) {
		env.Cancel(key)
		if len(p.Log) < 3 {
			env.After(key, model.Exactly(2))
		}
	}}, model.Exactly(2)), timed)
	r.do(0, model.Invoke, 0)
	r.do(2, model.Timeout, 0)
	r.do(4, model.Timeout, 0)
	assert.Empty(t, r.pending(model.Timeout, 0))
	assert.Equal(t, []string{"invoke go", "timeout k", "timeout k"}, r.log(0))
}
