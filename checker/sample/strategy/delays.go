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
//
// With [NewDeviations] all else is bounded, too. A deviation is a delay, an event that is taken as late as may be rather than as early, a fault,
// a lie, a node that does not restart at once, or a handler's choice that is not the first. The schedules with k + 1 deviations are those with k
// of them and one more behind the last, so each is made once. They are all made if those with k are at most [mostParents], however long
// that takes.
type Delays struct {
	everything bool // deviations, not delays only
	plan       plan[[]deviation]
	level      int       // the number of deviations of the schedules planned
	parents    []*parent // schedules that were made, of one deviation less
	at         int       // of these, the first of which not all is planned that has one deviation more
	made       []*parent // schedules that were made, of as many
	count      int       // of them, those that are not kept included
	children   int       // that the parents have
	drawing    bool      // the others are drawn: there are too many, or none
	complete   bool      // there are none
	others     bool      // something was chosen that is no part of the plan
	violated   bool      // a schedule ended at a violation, so that it is not known how it might have gone on
	choices    float64   // those of a schedule, on the average
}

// NewDelays plans the schedule without delays.
func NewDelays() *Delays {
	return &Delays{plan: plan[[]deviation]{items: [][]deviation{nil}}, children: 1}
}

// NewDeviations plans the schedule without deviations.
func NewDeviations() *Delays {
	d := NewDelays()
	d.everything = true
	return d
}

// At most so many schedules of one number of delays are all made.
const mostDelayed = 10_000

// mostParents is how many schedules are kept to find those with one deviation more: a few KB each.
const mostParents = 10_000

// ahead is how many schedules are planned at a time. A round has no more.
const ahead = 64

// A deviation is a choice, by its number in the schedule, that is not 0.
type deviation struct{ at, is int32 }

// Schedule begins a schedule.
func (d *Delays) Schedule(number int, seed uint64) (Scheduler, Choices) {
	own, rest := drawn(seed)
	s := &delaying{}
	if s.deviations, s.planned = d.plan.item(number); !s.planned {
		s.deviations = d.draw(own)
	}
	s.left = s.deviations
	if d.everything {
		return s, &s.script
	}
	s.rest = &counted{from: rest}
	return s, s.rest
}

// draw draws a schedule with at least as many deviations as those that were not all made; twice as many are as likely, and so on.
func (d *Delays) draw(r *rand.Rand) (all []deviation) {
	n := max(int(d.choices), 1)
	for k := max(d.level, 1) << r.IntN(bits.Len(uint(n))); k > len(all); {
		all = append(all, deviation{int32(r.IntN(n)), 1 + r.Int32N(1<<30)})
	}
	slices.SortFunc(all, func(a, b deviation) int { return int(a.at - b.at) })
	return all
}

// Learn plans the schedules that have one deviation more than those that were made.
func (d *Delays) Learn(number int, s Scheduler, o Outcome) {
	x := s.(*delaying)
	d.others = d.others || x.rest != nil && x.rest.chosen
	d.violated = d.violated || o.Violated
	d.choices += (float64(len(x.options)) - d.choices) / 16
	d.plan.learned(number, x.planned)
	if x.planned && !d.drawing {
		if d.count++; len(d.made) < mostParents {
			d.made = append(d.made, newParent(x.script))
		}
	}
	for !d.drawing && len(d.plan.items) < ahead && d.extend() {
	}
}

// extend plans one schedule more, or goes on to more deviations once all are made.
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
	kept := d.count == len(d.made)
	d.level++
	d.parents, d.at, d.made, d.count, d.children = d.made, 0, nil, 0, 0
	for _, p := range d.parents {
		d.children += p.children()
	}
	d.complete = kept && d.children == 0
	d.drawing = d.complete || !kept || !d.everything && d.children > mostDelayed
	return true
}

// Finished implements [Finite], for deviations: of delays, another draw of what else is chosen gives another schedule.
func (d *Delays) Finished() bool { return d.everything && d.complete }

// Notes says which schedules were all made.
func (d *Delays) Notes() []string {
	of := "delay"
	if d.everything {
		of = "deviation"
	}
	switch {
	case d.others || d.violated || d.level == 0:
		return nil
	case d.complete:
		return []string{"every schedule was made"}
	}
	text := fmt.Sprintf("every schedule with at most %d %s", d.level-1, of)
	switch d.level {
	case 1:
		text = fmt.Sprintf("the schedule without %ss", of)
	case 2:
	default:
		text += "s"
	}
	text += " was made"
	if d.everything && !d.drawing {
		text += fmt.Sprintf(", and %d of the %d with %d", d.count, d.children, d.level)
	}
	return []string{text}
}

// parent is a schedule that was made.
type parent struct {
	deviations []deviation
	options    []int32   // by choice: how many there were
	next       deviation // the next child has behind these
}

func newParent(s script) *parent {
	p := &parent{deviations: s.deviations, options: s.options, next: deviation{0, 1}}
	if n := len(p.deviations); n > 0 {
		p.next.at = p.deviations[n-1].at + 1
	}
	return p
}

// child is the next schedule with one deviation more; nil after the last.
func (p *parent) child() []deviation {
	for int(p.next.at) < len(p.options) {
		if is := p.next; is.is < p.options[is.at] {
			p.next.is++
			return append(slices.Clone(p.deviations), is)
		}
		p.next = deviation{p.next.at + 1, 1}
	}
	p.options = nil
	return nil
}

// children is how many there are.
func (p *parent) children() (n int) {
	for at := int(p.next.at); at < len(p.options); at++ {
		n += int(p.options[at]) - 1
	}
	return n
}

// script is a stream of choices that are 0 but for some deviations.
type script struct {
	planned          bool
	deviations, left []deviation
	options          []int32 // of the choices that were made
}

// Choose makes a choice.
func (s *script) Choose(n int) (is int) {
	if n == 1 {
		return 0
	}
	if at := int32(len(s.options)); len(s.left) > 0 && s.left[0].at <= at {
		is = 1 + int(s.left[0].is-1)%(n-1)
		s.left = s.left[1:]
	}
	s.options = append(s.options, int32(n))
	return is
}

// Plans implements [Planner].
func (s *script) Plans() {}

// delaying is the scheduler of Delays.
type delaying struct {
	script
	rest  *counted // nil for deviations
	turns []int32  // by number of event, from 1
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
