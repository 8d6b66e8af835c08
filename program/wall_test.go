package program

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// A run shows a time, in quarters of a tick.
type run struct {
	model.Env
	now int64
}

func (r *run) Clock() (now, parts int64, ok bool) { return r.now, 4, true }

func (*run) After(any, model.Window) {}

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
	at(12, q.ring, 0, 3000)
	at(13, q.look, 0, 3250)
	q = &process{of: q.of, wall: q.wall + q.clock.now, clock: q.stopped()}
	at(40, q.startClock, 10_000, 0)
	at(41, q.look, 10_000, 250)
}
