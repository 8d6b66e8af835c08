package program

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// A run shows a time, in quarters of a tick. Its alarm is due at an instant.
type run struct {
	model.Env
	now    int64
	due    int64
	choice int
}

func (r *run) Clock() (now, parts int64, ok bool) { return r.now, 4, true }
func (r *run) After(_ any, w model.Window)        { r.due = r.now + 4*int64(w.Lo.At) }
func (r *run) Choose(int) int                     { return r.choice }

// rings returns a function that handles the alarm, and expects that the timer is due, or is not.
func rings(t *testing.T, q *process, due bool) func(model.Env) {
	return func(env model.Env) { assert.Equal(t, due, q.ring(env)) }
}

// The clock of a program begins at 0 with each boot, and the wall clock goes on while the program is down. A clock does
// not reach the next timer before the timer is due, and a late timer moves it further.
func TestWallClock(t *testing.T) {
	env := &run{now: 40}
	q := &process{of: &Program{config: Config{Tick: 1000}}, clock: clock{}}
	at := func(now int64, move func(model.Env), wall, shows int64) {
		t.Helper()
		env.now = now
		move(env)
		assert.Equal(t, []int64{wall, shows}, []int64{q.wall, q.clock.now})
	}
	at(0, q.startClock, 0, 0)
	at(6, q.look, 0, 1500)
	q.arm(env, 2250)
	at(8, q.look, 0, 2000)
	at(9, q.look, 0, 2249)
	at(12, rings(t, q, true), 0, 3000)
	at(13, q.look, 0, 3250)
	q = &process{of: q.of, wall: q.wall + q.clock.now, clock: q.stopped()}
	at(40, q.startClock, 10_000, 0)
	at(41, q.look, 10_000, 250)
}

// A clock that drifts shows its own time, and an alarm goes off when the clock shows the time of the timer. With a drift of 1/2 a tick of the
// configuration is 3 ticks of the system, and a tick of the clock is 2 of the fastest clock and 6 of the slowest.
func TestDriftingClock(t *testing.T) {
	for choice, want := range []struct{ first, due, then int64 }{{1000, 12 + 12*2, 6000}, {1500, 12 + 8*2, 9000}, {500, 12 + 24*2, 3000}} {
		of := &run{choice: choice}
		env := model.Drift{Thousandths: 500}.Env(of)
		q := &process{of: &Program{config: Config{Tick: 1000}}}
		q.startClock(env)
		of.choice = 0
		of.now = 12
		q.look(env)
		assert.Equal(t, want.first, q.clock.now)
		q.arm(env, q.clock.now+2000)
		assert.Equal(t, want.due, of.due)
		of.now = of.due
		rings(t, q, true)(env)
		assert.Equal(t, want.first+2000, q.clock.now)
		of.now = 72
		q.look(env)
		assert.Equal(t, want.then, q.clock.now)

		q = &process{of: q.of, wall: q.wall + q.clock.now, clock: q.stopped()}
		of.now = 144
		q.startClock(env)
		assert.Equal(t, 2*want.then, q.wall, "the rate survives a crash")
	}
}

// A loose clock has another rate for each timer, and does not jump when the rate changes.
func TestLooseClock(t *testing.T) {
	of := &run{}
	env := model.Drift{Thousandths: 500}.Env(of)
	q := &process{of: &Program{config: Config{Tick: 1000}}}
	q.startClock(env)
	var at, shows []int64
	for _, of.choice = range []int{0, 1, 2} {
		q.arm(env, q.clock.now+1000)
		of.now = of.due
		rings(t, q, true)(env)
		at, shows = append(at, of.now), append(shows, q.clock.now)
	}
	assert.Equal(t, []int64{12, 20, 44}, at)
	assert.Equal(t, []int64{1000, 2000, 3000}, shows)
}

// A timer that lasts longer than an alarm can needs several alarms.
func TestLongTimer(t *testing.T) {
	env := &run{}
	q := &process{of: &Program{config: Config{Tick: 1}}}
	q.startClock(env)
	q.arm(env, int64(model.MaxTicks)+3)
	env.now = env.due
	assert.EqualValues(t, 4*model.MaxTicks, env.now)
	at := env.now
	rings(t, q, false)(env)
	assert.Equal(t, at+4*3, env.due)
	env.now = env.due
	rings(t, q, true)(env)
	assert.EqualValues(t, model.MaxTicks+3, q.clock.now)
}
