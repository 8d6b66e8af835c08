package strategy

import (
	"fmt"
	"math/rand/v2"
)

// Delays is delay-bounded scheduling (Emmi, Qadeer, Rakamarić, POPL 2011). The oldest event happens, unless
// it is delayed: then it moves behind all events that are possible now. The schedule without delays comes
// first, then all with one delay, and so on, while they are few. Then schedules are drawn. A schedule with k
// + 1 delays extends one with k by a later delay, so each is made once.
//
// After all schedules with k delays, every bug that k delays show is found, and Notes says so. This does not
// hold with faults, lies, choosing handlers or time: then a schedule has one draw of these, and Notes returns
// nothing. [Deviations] bounds all of them.
type Delays struct {
	levels
	drawing  bool    // the remaining schedules are too many, or none
	complete bool    // none remains
	others   bool    // something other than events was chosen
	choices  float64 // of a schedule, on average
}

// NewDelays returns the strategy. It plans the schedule without delays.
func NewDelays() *Delays { return &Delays{levels: firstLevel()} }

// mostDelayed is the maximum number of schedules with equally many delays that are enumerated.
const mostDelayed = 10_000

// Schedule begins a schedule.
func (d *Delays) Schedule(number int, seed uint64) (Scheduler, Choices) {
	own, rest := streams(seed)
	s := &delaying{rest: counted{from: rest}}
	if s.deviations, s.planned = d.plan.item(number); !s.planned {
		s.deviations = d.draw(own)
	}
	s.left = s.deviations
	return s, &s.rest
}

// draw draws a schedule with at least the first number of delays that was not enumerated. Twice as many are
// equally likely, and so on.
func (d *Delays) draw(r *rand.Rand) []deviation {
	return drawDeviations(r, d.level, max(int(d.choices), 1))
}

// Learn plans the children of a schedule: those with one delay more.
func (d *Delays) Learn(number int, s Scheduler, o Outcome) {
	x := s.(*delaying)
	d.others = d.others || x.rest.chosen
	d.choices += (float64(len(x.options)) - d.choices) / 16
	d.plan.remove(number, x.planned)
	switch {
	case !x.planned || d.drawing:
	case o.Violated:
		d.repeat(x.script)
	default:
		d.keep(newParent(x.script, len(x.options)))
	}
	for !d.drawing && len(d.plan.items) < ahead && d.extend() {
	}
}

// extend plans one more schedule, or proceeds to more delays.
func (d *Delays) extend() bool {
	switch {
	case d.plansOne():
		return true
	case len(d.plan.items) > 0:
		return false
	}
	d.rise()
	d.complete = d.children == 0
	d.drawing = d.complete || d.children > mostDelayed
	return true
}

// Notes reports the enumerated schedules.
func (d *Delays) Notes() []string {
	switch {
	case d.others || d.level == 0:
		return nil
	case d.complete:
		return []string{"every schedule was made"}
	case d.level == 1:
		return []string{"the schedule without delays was made"}
	}
	return []string{fmt.Sprintf("every schedule with at most %s was made", counting(d.level-1, "delay"))}
}

// A delaying is the scheduler of Delays.
type delaying struct {
	script
	rest  counted
	turns []int32 // by event number, from 1
	turn  int32
}

func (d *delaying) Next(events []Event) int {
	for _, e := range events {
		if d.turns = grown(d.turns, int(e.ID)); d.turns[e.ID] == 0 {
			d.last(e)
		}
	}
	for range events[1:] {
		if d.Choose(2) == 0 {
			break
		}
		d.last(events[d.oldest(events)])
	}
	return d.oldest(events)
}

// last moves an event behind all others.
func (d *delaying) last(e Event) {
	d.turn++
	d.turns[e.ID] = d.turn
}

func (d *delaying) oldest(events []Event) (at int) {
	for i, e := range events {
		if d.turns[e.ID] < d.turns[events[at].ID] {
			at = i
		}
	}
	return at
}

func (*delaying) Observe(Step) {}
