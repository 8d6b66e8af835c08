package strategy

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Delays is delay-bounded scheduling (Emmi, Qadeer, Rakamarić, POPL 2011). The oldest event happens, unless it is
// delayed: then it comes behind all that may happen now, and the next is the oldest. The schedule without delays comes first,
// then all with one delay, and so on, as long as they are few; after that some are drawn.
//
// Once all schedules with k delays were made, a bug that k delays show was found or is not there, and Notes says so. This holds if nothing
// else is chosen: in a system with faults, lies or handlers that choose, and if time is kept, each schedule is made with one
// draw of these only, and nothing is said.
type Delays struct {
	plan     plan[delayed]
	level    int       // the number of delays of the schedules planned
	parents  []*parent // schedules that were made, of one delay less
	at       int       // of these, the first of which not all is planned that has one delay more
	made     []*parent // schedules that were made, of as many
	drawing  bool      // the others are drawn: there are too many, or none
	complete bool      // there are none
	others   bool      // something else than events was chosen
	choices  float64   // those of a schedule, on the average
}

// NewDelays plans the schedule without delays.
func NewDelays() *Delays { return &Delays{plan: plan[delayed]{items: []delayed{nil}}} }

// At most so many schedules of one number of delays are all made.
const mostDelayed = 10_000

// ahead is how many schedules are planned at a time. A round has no more.
const ahead = 64

// delayed is a schedule: the choices at which the oldest event is delayed, in order; one of them as often as events are delayed there.
type delayed []int32

// Schedule begins a schedule.
func (d *Delays) Schedule(number int, seed uint64) (Scheduler, Choices) {
	own, rest := drawn(seed)
	s := &delaying{rest: &counted{from: rest}}
	if s.delays, s.planned = d.plan.item(number); !s.planned {
		s.delays = d.draw(own)
	}
	s.left = s.delays
	return s, s.rest
}

// draw draws a schedule with at least as many delays as those that were not all made; twice as many are as likely, and so on.
func (d *Delays) draw(r *rand.Rand) (all delayed) {
	n := max(int(d.choices), 1)
	for k := max(d.level, 1) << r.IntN(bits.Len(uint(n))); k > len(all); {
		all = append(all, int32(r.IntN(n)))
	}
	slices.Sort(all)
	return all
}

// Learn plans the schedules that have one delay more than those that were made.
func (d *Delays) Learn(number int, s Scheduler, _ Outcome) {
	x := s.(*delaying)
	d.others = d.others || x.rest.chosen
	d.choices += (float64(len(x.options)) - d.choices) / 16
	d.plan.learned(number, x.planned)
	if x.planned && !d.drawing {
		d.made = append(d.made, newParent(x))
	}
	for !d.drawing && len(d.plan.items) < ahead && d.extend() {
	}
}

// extend plans one schedule more, or goes on to more delays once all are made.
func (d *Delays) extend() bool {
	if d.at < len(d.parents) {
		if child := d.parents[d.at].child(); child != nil {
			d.plan.items = append(d.plan.items, child)
		} else {
			d.at++
		}
		return true
	}
	if len(d.plan.items) > 0 {
		return false
	}
	d.level++
	d.parents, d.at, d.made = d.made, 0, nil
	next := 0
	for _, p := range d.parents {
		next += p.children()
	}
	d.drawing, d.complete = next == 0 || next > mostDelayed, next == 0
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
	case d.level == 2:
		return []string{"every schedule with at most 1 delay was made"}
	}
	return []string{fmt.Sprintf("every schedule with at most %d delays was made", d.level-1)}
}

// parent is a schedule that was made.
type parent struct {
	delays  delayed
	options []int32 // by choice: how many events might happen
	next    int     // the choice at which the next child has its last delay
}

func newParent(x *delaying) *parent {
	p := &parent{delays: x.delays, options: x.options}
	if n := len(p.delays); n > 0 {
		p.next = int(p.delays[n-1])
	}
	return p
}

// delays reports whether another event can be delayed at a choice, the last at which some are or one behind it.
func (p *parent) more(at int) bool {
	there := 0
	for _, d := range p.delays {
		if int(d) == at {
			there++
		}
	}
	return there+1 < int(p.options[at])
}

// child is the next schedule with one delay more; nil after the last.
func (p *parent) child() delayed {
	for ; p.next < len(p.options); p.next++ {
		if p.more(p.next) {
			child := append(slices.Clone(p.delays), int32(p.next))
			p.next++
			return child
		}
	}
	p.options = nil
	return nil
}

// children is how many there are.
func (p *parent) children() (n int) {
	for at := p.next; at < len(p.options); at++ {
		if p.more(at) {
			n++
		}
	}
	return n
}

// delaying is the scheduler of Delays.
type delaying struct {
	rest         *counted
	planned      bool
	delays, left delayed
	options      []int32
	turns        []int32 // by number of event, from 1
	turn         int32
}

func (d *delaying) Next(events []Event) int {
	for _, e := range events {
		if d.turns = grown(d.turns, int(e.ID)); d.turns[e.ID] == 0 {
			d.last(e)
		}
	}
	at := int32(len(d.options))
	for ; len(d.left) > 0 && d.left[0] == at; d.left = d.left[1:] {
		d.last(events[d.oldest(events)])
	}
	d.options = append(d.options, int32(len(events)))
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
