package strategy

import (
	"cmp"
	"fmt"
)

// Deviations are all schedules that deviate a few times from the plainest one, in which every event happens as early as may be, the oldest
// first, and no fault strikes. A deviation is a delay, which puts an event behind all that may happen now; an event that is taken as late as
// may be; a fault; a lie; a node that does not restart at once; or a handler's choice that is not the first. The schedule without any comes
// first, then all with one, and so on.
//
// Schedules that differ only in the order of independent steps come to the same place: the same states, and the same events to come in the
// same order. Only the first of them goes on from there (as in Musuvathi and Qadeer, Partial-order reduction for context-bounded state
// exploration, MSR 2007). What a schedule that ends at a place would have come to with d deviations more, the other comes to with as
// many: it has no more deviations so far, since schedules are made in that order. So every state that k deviations lead to is visited. A
// place names all that the rest of a schedule depends on, so this holds for claims of any kind. Two orders come to the same place only if
// the age of an event is the same in both: it is the length of the chain of events that caused it, not the time at which it was made.
//
// A schedule costs a 24-byte entry for each of its steps behind the last deviation, and four bytes for each choice there.
type Deviations struct {
	levels
	passed   map[Place]struct{} // the places that schedules went on from
	count    int                // schedules of this level that were made
	kept     int                // choices of them that are kept
	drawing  bool               // the others are drawn: there are too many, or none
	complete bool               // there are none
	choices  float64            // those of a schedule, on the average
}

// mostChoices is how many choices are kept of the schedules of one level.
const mostChoices = 1 << 25

// mostPlaces is how many places are kept.
const mostPlaces = 1 << 25

// NewDeviations plans the schedule without deviations.
func NewDeviations() *Deviations {
	return &Deviations{levels: firstLevel(), passed: map[Place]struct{}{}}
}

// Schedule begins a schedule.
func (d *Deviations) Schedule(number int, seed uint64) (Scheduler, Choices) {
	s := &deviating{passed: d.passed}
	if s.deviations, s.planned = d.plan.item(number); !s.planned {
		own, _ := drawn(seed)
		s.deviations = drawDeviations(own, d.level, max(int(d.choices), 1))
	}
	s.left = s.deviations
	return s, s
}

// Learn plans the schedules that have one deviation more than those that were made.
func (d *Deviations) Learn(number int, s Scheduler, o Outcome) {
	x := s.(*deviating)
	d.choices += (float64(len(x.options)) - d.choices) / 16
	d.plan.learned(number, x.planned)
	switch {
	case !x.planned || d.drawing:
	case o.Violated:
		d.again(x.script)
	default:
		d.count++
		p := newParent(x.script, d.passes(x))
		if d.kept += len(p.options); d.kept <= mostChoices {
			d.keep(p)
		}
	}
	for !d.drawing && len(d.plan.items) < ahead && d.extend() {
	}
}

// passes keeps the places of a schedule, up to one where another went on in the meantime. It returns how many choices the schedule made
// before that.
func (d *Deviations) passes(x *deviating) (choices int) {
	for _, p := range x.places {
		if _, known := d.passed[p.is]; known {
			return p.choices
		}
		if len(d.passed) < mostPlaces {
			d.passed[p.is] = struct{}{}
		}
	}
	return len(x.options)
}

// extend plans one schedule more, or goes on to more deviations once all are made.
func (d *Deviations) extend() bool {
	switch {
	case d.plansOne():
		return true
	case len(d.plan.items) > 0:
		return false
	}
	fits := d.kept <= mostChoices
	d.rise()
	d.count, d.kept = 0, 0
	d.complete = fits && d.children == 0
	d.drawing = d.complete || !fits
	return true
}

// Finished implements [Finite].
func (d *Deviations) Finished() bool { return d.complete }

// Notes says which schedules were all made.
func (d *Deviations) Notes() []string {
	switch {
	case d.level == 0:
		return nil
	case d.complete:
		return []string{"every schedule was made"}
	}
	text := "the schedule without deviations"
	if d.level > 1 {
		text = "every schedule with at most " + counting(d.level-1, "deviation")
	}
	if text += " was made"; !d.drawing {
		text += fmt.Sprintf(", and %d of the %d with %d", d.count, d.children, d.level)
	}
	return []string{text}
}

// deviating is the scheduler of Deviations, and its choices.
type deviating struct {
	script
	passed map[Place]struct{} // when the schedule began
	places []passage
	delays []age   // by number of event; 0 of those that were not delayed
	chains []int32 // by number of step: how many steps caused each other, up to this one
	longest,
	delayed int32
}

// A passage is a place that a schedule passed.
type passage struct {
	is      Place
	choices int // that were made before
}

// An age orders events: by the length of the chain that caused it, and, of those that were delayed, behind the others of the length, in the
// order of delays.
type age struct{ chain, delayed int32 }

// Age implements [Planner].
func (d *deviating) Age(e Event) (chain, delayed int32) {
	if int(e.ID) < len(d.delays) && d.delays[e.ID].delayed > 0 {
		return d.delays[e.ID].chain, d.delays[e.ID].delayed
	}
	return d.chain(e), 0
}

// Compare implements [Planner]. Events at one node from one other are made in one order in all schedules that come to the same place.
func (d *deviating) Compare(a, b Event) int {
	chain, delayed := d.Age(a)
	chain2, delayed2 := d.Age(b)
	return cmp.Or(cmp.Compare(chain, chain2), cmp.Compare(delayed, delayed2), cmp.Compare(a.Node, b.Node), cmp.Compare(a.From, b.From),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
}

// Open implements [Planner].
func (d *deviating) Open() bool { return len(d.left) > 0 || !d.planned }

// Passed implements [Planner]. How old the next fault is belongs to the place.
func (d *deviating) Passed(p Place) bool {
	p[0] = mixed(p[0], uint64(d.longest))
	d.places = append(d.places, passage{p, len(d.options)})
	_, known := d.passed[p]
	return known
}

func (d *deviating) Next(events []Event) int {
	for range events[1:] {
		if d.Choose(2) == 0 {
			break
		}
		d.delay(events)
	}
	return d.oldest(events)
}

// delay puts the oldest event behind all others.
func (d *deviating) delay(events []Event) {
	e := events[d.oldest(events)]
	var last int32
	for _, other := range events {
		chain, _ := d.Age(other)
		last = max(last, chain)
	}
	d.delayed++
	d.delays = grown(d.delays, int(e.ID))
	d.delays[e.ID] = age{last, d.delayed}
}

func (d *deviating) oldest(events []Event) (at int) {
	for i, e := range events {
		if d.Compare(e, events[at]) < 0 {
			at = i
		}
	}
	return at
}

// Took implements [Scheduler]. A fault is as young as the youngest step before it.
func (d *deviating) Took(s Step) {
	d.chains = grown(d.chains, s.Number)
	if !s.Environment {
		d.longest = max(d.longest, d.chain(s.Event))
		d.chains[s.Number] = d.chain(s.Event)
	} else {
		d.chains[s.Number] = d.longest
	}
}

// chain is the length of the chain that caused an event, delayed or not. It is 1 for all that was pending before the first step that the
// scheduler is told of.
func (d *deviating) chain(e Event) int32 {
	if int(e.Cause) < len(d.chains) {
		return d.chains[e.Cause] + 1
	}
	return 1
}
