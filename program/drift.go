package program

import (
	"encoding/binary"

	"contend/model"
	"contend/model/wrapped"
)

// A drift relates the clock of a program to the time of the run.
type drift struct {
	unit   int64 // the number of the system's ticks in a tick of the clock; 0 before the first start
	loose  bool  // each timer has its own rate
	since  int64 // an instant of the run, in parts of a tick of the system
	showed int64 // what the clock showed at that instant
}

// local returns what the clock shows at the present instant of the run. It returns false if the run does not show the time.
func (q *process) local(env model.Env) (ns int64, ok bool) {
	now, parts, ok := wrapped.Now(env)
	if !ok {
		return 0, false
	}
	tick, unit := q.of.config.Tick, q.clock.unit*parts
	elapsed := now - q.clock.since
	return q.clock.showed + elapsed/unit*tick + elapsed%unit*tick/unit, true
}

// chooseRate chooses the rate of a clock for the whole run, at the first start: the highest, the lowest, or another one for each timer.
func (q *process) chooseRate(env model.Env) {
	if _, _, shown := wrapped.Now(env); !shown || q.clock.unit != 0 {
		return
	}
	d := wrapped.Drift(env)
	q.clock.unit = int64(d.Ticks())
	if d == (model.Drift{}) {
		return
	}
	switch env.Choose(3) {
	case 0:
		q.clock.loose = true
	case 1:
		q.clock.unit = int64(d.Fast())
	case 2:
		q.clock.unit = int64(d.Slow())
	}
}

// redraw chooses the rate until the next timer, if each timer has its own.
func (q *process) redraw(env model.Env) {
	if !q.clock.loose {
		return
	}
	now, _ := q.local(env)
	q.adjust(env, now)
	d := wrapped.Drift(env)
	q.clock.unit = int64([...]model.Ticks{d.Ticks(), d.Fast(), d.Slow()}[env.Choose(3)])
	q.rename(binary.LittleEndian.AppendUint64(nil, uint64(q.clock.unit)))
}

// adjust has the clock show a time at the present instant of the run.
func (q *process) adjust(env model.Env, shows int64) {
	now, _, _ := wrapped.Now(env)
	q.clock.since, q.clock.showed = now, shows
}

// wait sets the alarm for the next timer. An alarm lasts [model.MaxTicks] at most.
func (q *process) wait(env model.Env) {
	now, _ := q.local(env)
	n := q.of.ticks(q.clock.timer-now) * model.Ticks(q.clock.unit)
	wrapped.AfterReal(env, Timer{}, min(n, model.MaxTicks))
}
