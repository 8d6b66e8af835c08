package strategy

import (
	"fmt"
	"math/rand/v2"
)

// Delays is delay-bounded scheduling (Emmi, Qadeer, Rakamarić, POPL 2011). The oldest event happens, unless it is
// delayed: then it comes behind all that may happen now, and the next is the oldest. The schedule without delays comes first,
// then all with one delay, and so on, as long as they are few; after that some are drawn. The schedules with k + 1 delays are those with k
// of them and one more behind the last, so each is made once.
//
// Once all schedules with k delays were made, a bug that k delays show was found or is not there, and Notes says so. This holds if nothing
// else is chosen: in a system with faults, lies or handlers that choose, and if time is kept, each schedule is made with one
// draw of these only, and nothing is said. [Deviations] bound all of them.
type Delays struct {
	levels
	drawing  bool    // the others are drawn: there are too many, or none
	complete bool    // there are none
	others   bool    // something was chosen that is no part of the plan
	choices  float64 // those of a schedule, on the average
}

// NewDelays plans the schedule without delays.
func NewDelays() *Delays { return &Delays{levels: firstLevel()} }

// At most so many schedules of one number of delays are all made.
const mostDelayed = 10_000

// Schedule begins a schedule.
func (d *Delays) Schedule(number int, seed uint64) (Scheduler, Choices) {
	own, rest := drawn(seed)
	s := &delaying{rest: counted{from: rest}}
	if s.deviations, s.planned = d.plan.item(number); !s.planned {
		s.deviations = d.draw(own)
	}
	s.left = s.deviations
	return s, &s.rest
}

// draw draws a schedule with at least as many delays as those that were not all made; twice as many are as likely, and so on.
func (d *Delays) draw(r *rand.Rand) []deviation {
	return drawDeviations(r, d.level, max(int(d.choices), 1))
}

// Learn plans the schedules that have one delay more than those that were made.
func (d *Delays) Learn(number int, s Scheduler, o Outcome) {
	x := s.(*delaying)
	d.others = d.others || x.rest.chosen
	d.choices += (float64(len(x.options)) - d.choices) / 16
	d.plan.learned(number, x.planned)
	switch {
	case !x.planned || d.drawing:
	case o.Violated:
		d.again(x.script)
	default:
		d.keep(newParent(x.script, len(x.options)))
	}
	for !d.drawing && len(d.plan.items) < ahead && d.extend() {
	}
}

// extend plans one schedule more, or goes on to more delays once all are made.
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

// Notes says which schedules were all made.
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

// delaying is the scheduler of Delays.
type delaying struct {
	script
	rest  counted
	turns []int32 // by number of event, from 1
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

// last puts an event behind all others.
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

func (*delaying) Took(Step) {}
