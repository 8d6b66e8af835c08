package strategy

import (
	"cmp"
	"fmt"
)

// Deviations enumerates schedules by their number of deviations from the plainest schedule. In the plainest
// schedule the oldest event happens, as early as possible, without faults. A deviation is one of these: a
// delay, by which an event moves behind all possible ones; an event at its latest instant; a fault; a lie; a
// node that does not restart at once; a handler's choice other than the first.
//
// Schedules that differ in the order of independent steps reach the same place: equal states, and equal
// pending events in the same order. Only the first schedule continues from a place (as in Musuvathi and
// Qadeer, Partial-order reduction for context-bounded state exploration, MSR 2007). The first has no more
// deviations than the others, so it reaches with d further deviations whatever they would. So every state
// that k deviations reach is visited. A place determines the rest of a schedule, so claims of any kind are
// covered. An event's age is the length of its chain of causes, since independent steps do not change it.
//
// A schedule needs 24 bytes for each step after its last deviation, and four bytes for each choice there.
type Deviations struct {
	levels
	passed   map[Place]struct{} // places from which a schedule continued
	count    int                // schedules of this level
	stored   int                // stored choices of these schedules
	drawing  bool               // the remaining schedules are too many, or none
	complete bool               // none remains
	choices  float64            // of a schedule, on average
}

// mostChoices is the maximum number of stored choices of one level.
const mostChoices = 1 << 25

// mostPlaces is the maximum number of stored places.
const mostPlaces = 1 << 25

// NewDeviations returns the strategy. It plans the schedule without deviations.
func NewDeviations() *Deviations {
	return &Deviations{levels: firstLevel(), passed: map[Place]struct{}{}}
}

// Schedule begins a schedule.
func (d *Deviations) Schedule(number int, seed uint64) (Scheduler, Choices) {
	s := &deviating{passed: d.passed}
	if s.deviations, s.planned = d.plan.item(number); !s.planned {
		own, _ := streams(seed)
		s.deviations = drawDeviations(own, d.level, max(int(d.choices), 1))
	}
	s.left = s.deviations
	return s, s
}

// Learn plans the children of a schedule: those with one deviation more.
func (d *Deviations) Learn(number int, s Scheduler, o Outcome) {
	x := s.(*deviating)
	d.choices += (float64(len(x.options)) - d.choices) / 16
	d.plan.remove(number, x.planned)
	switch {
	case !x.planned || d.drawing:
	case o.Violated:
		d.repeat(x.script)
	default:
		d.count++
		p := newParent(x.script, d.passes(x))
		if d.stored += len(p.options); d.stored <= mostChoices {
			d.keep(p)
		}
	}
	for !d.drawing && len(d.plan.items) < ahead && d.extend() {
	}
}

// passes stores the places of a schedule, up to the first from which another schedule continued. It returns
// the number of choices before that place.
func (d *Deviations) passes(x *deviating) (choices int) {
	for _, p := range x.places {
		if _, known := d.passed[p.place]; known {
			return p.choices
		}
		if len(d.passed) < mostPlaces {
			d.passed[p.place] = struct{}{}
		}
	}
	return len(x.options)
}

// extend plans one more schedule, or proceeds to more deviations.
func (d *Deviations) extend() bool {
	switch {
	case d.plansOne():
		return true
	case len(d.plan.items) > 0:
		return false
	}
	fits := d.stored <= mostChoices
	d.rise()
	d.count, d.stored = 0, 0
	d.complete = fits && d.children == 0
	d.drawing = d.complete || !fits
	return true
}

// Finished implements [Finite].
func (d *Deviations) Finished() bool { return d.complete }

// Notes reports the enumerated schedules.
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

// A deviating is the scheduler of Deviations, and its choices.
type deviating struct {
	script
	passed map[Place]struct{} // places known when the schedule began
	places []passage
	delays []age   // by event number; 0 without a delay
	chains []int32 // length of the chain of causes, by step number
	longest,
	delayed int32
}

// A passage is a place of a schedule.
type passage struct {
	place   Place
	choices int // choices before the place
}

// An age orders events: by the length of the chain of causes, then undelayed before delayed events, then by
// the order of delays.
type age struct{ chain, delayed int32 }

// Age implements [Planner].
func (d *deviating) Age(e Event) (chain, delayed int32) {
	if int(e.ID) < len(d.delays) && d.delays[e.ID].delayed > 0 {
		return d.delays[e.ID].chain, d.delays[e.ID].delayed
	}
	return d.chain(e), 0
}

// Compare implements [Planner]. Events of one node with the same sender have the same order in all schedules
// of a place.
func (d *deviating) Compare(a, b Event) int {
	chain, delayed := d.Age(a)
	chain2, delayed2 := d.Age(b)
	return cmp.Or(cmp.Compare(chain, chain2), cmp.Compare(delayed, delayed2), cmp.Compare(a.Node, b.Node), cmp.Compare(a.From, b.From),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
}

// Open implements [Planner].
func (d *deviating) Open() bool { return len(d.left) > 0 || !d.planned }

// Passed implements [Planner]. The age of the next fault is a part of the place.
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

// delay moves the oldest event behind all others.
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

// Observe implements [Scheduler]. A fault has the age of the youngest step before it.
func (d *deviating) Observe(s Step) {
	d.chains = grown(d.chains, s.Number)
	if !s.Environment {
		d.longest = max(d.longest, d.chain(s.Event))
		d.chains[s.Number] = d.chain(s.Event)
	} else {
		d.chains[s.Number] = d.longest
	}
}

// chain returns the length of an event's chain of causes, without delays. It is 1 for events that were
// pending before the first observed step.
func (d *deviating) chain(e Event) int32 {
	if int(e.Cause) < len(d.chains) {
		return d.chains[e.Cause] + 1
	}
	return 1
}
