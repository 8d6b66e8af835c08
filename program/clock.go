package program

import (
	"fmt"

	"contend/model"
	"contend/program/guest"
)

// A Timer is the key of the alarm that stands for the next timer of a program.
type Timer struct{}

// A mark is the key of a hold. When the hold is over, that many parts of the time to the next timer have passed.
type mark int

func (m mark) String() string { return fmt.Sprintf("mark %d", int(m)) }

// A clock is the clock of a program, in nanoseconds since its start.
type clock struct {
	now    int64
	timer  int64 // when the next timer is due, or guest.Never
	marked int64 // what it showed when the marks were set
	exact  bool  // the run shows the time, and no marks are needed
	drift
}

// startClock sets the clock of a program that starts and shows a time. The wall clock has gone on since the last boot, or
// since the start of the run.
func (q *process) startClock(env model.Env) {
	q.chooseRate(env)
	now, ok := q.local(env)
	q.wall += now
	q.clock = clock{timer: guest.Never, exact: ok, drift: q.clock.drift}
	if ok {
		q.adjust(env, 0)
	}
}

// ticks returns a time in ticks, rounded up, and at least one.
func (p *Program) ticks(d int64) model.Ticks {
	d = max(d, 1)
	n := d / p.config.Tick
	if d%p.config.Tick > 0 {
		n++
	}
	return min(model.Ticks(n), model.MaxTicks)
}

// part returns the time from the marks to one of them.
func (q *process) part(k int) int64 {
	n := int64(q.of.config.Resolution)
	gap := q.clock.timer - q.clock.marked
	return gap / n * int64(k)
}

// arm keeps an alarm for the next timer, and marks on the way there.
func (q *process) arm(env model.Env, due int64) {
	if due == q.clock.timer {
		return
	}
	q.clock.timer, q.clock.marked = due, q.clock.now
	switch {
	case due == guest.Never:
		env.Cancel(Timer{})
		return
	case q.clock.exact:
		q.redraw(env)
		q.wait(env)
		return
	}
	env.After(Timer{}, model.Exactly(q.of.ticks(due-q.clock.now)))
	for k := 1; k < q.of.config.Resolution; k++ {
		env.Hold(mark(k), model.Below(q.of.ticks(q.part(k))))
	}
}

// look moves the clock to the time of the run, but not to the next timer, or to the last mark that is over.
func (q *process) look(env model.Env) {
	if now, ok := q.local(env); ok {
		q.clock.now = max(q.clock.now, min(now, q.clock.timer-1))
		return
	}
	if q.clock.timer == guest.Never {
		return
	}
	low, high := 0, q.of.config.Resolution // the mark low is over, high is not
	for high-low > 1 {
		if middle := (low + high) / 2; env.Held(mark(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	q.clock.now = max(q.clock.now, q.clock.marked+q.part(low))
}

// ring moves the clock to the next timer, or to the time of the run if that is later. It returns false if the timer is not due: the alarm of a
// long timer goes off before.
func (q *process) ring(env model.Env) bool {
	if now, ok := q.local(env); ok && now < q.clock.timer {
		q.wait(env)
		return false
	}
	q.clock.now, q.clock.timer = max(q.clock.now, q.clock.timer), guest.Never
	q.look(env)
	return true
}

// stopped returns the clock of a program that has crashed. It shows the time since then.
func (q *process) stopped() clock {
	c := clock{drift: q.clock.drift}
	c.showed -= q.clock.now
	return c
}
