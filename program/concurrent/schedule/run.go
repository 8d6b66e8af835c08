// Package schedule decides how the goroutines of a program take turns: all ways with few preemptions, and samples of the others. It sees
// choices only, so that anything may be scheduled that names its goroutines and what they are about to do.
package schedule

import (
	"slices"

	"contend/program/overlay"
)

// A Kind says why something is chosen.
type Kind uint8

// The kinds of choices.
const (
	Point Kind = iota // a goroutine is about to do what others can see: it goes on, or another runs
	Pick              // the running goroutine waits, yields or has ended: which one runs next
	Case              // which ready case a select statement takes
)

// A Choice is what a program asks. It is valid until the next one.
type Choice struct {
	Kind Kind
	// Goroutines can run, and [Time] is the last of them if a timer is set. At a point the first is the one that runs. None at a case.
	Goroutines []int
	Of         int // how many options there are: as many as goroutines, or ready cases
	Op         overlay.Kind
	Object     uint64 // what a point is about
	Turn       int    // the point's number among those of its goroutine, else the choice's among those of its kind; from 0
}

// A Scheduler takes one option of each choice of a run, from 0 to Of-1. Option 0 is the usual one: the goroutine goes on, the
// one that waited longest runs, the first case is taken.
type Scheduler interface{ Choose(*Choice) int }

// A Run is one way through a program: it asks its scheduler, and notes what is chosen.
type Run struct {
	Choices     []Chosen
	Preemptions int
	Endless     bool // the limit on choices was met

	scheduler Scheduler
	turns     map[int]int
	picks     int
	cases     int
	forced    bool // the last choice was
	hurries   int  // how often a timer fired before a point
	loops     loops
	trace     uint64 // of what happened until the next choice
	unfair    bool   // a choice was not left to the scheduler, or time went on in a loop
	choice    Choice
	room      []int
}

// Chosen is a choice that was made.
type Chosen struct {
	Kind Kind
	Of   uint16
	Took uint16
	Turn int32
	// Goroutine is the one that asked at a point, and Next the one that runs; at a case both are 0.
	Goroutine, Next int32
	Op              overlay.Kind
	Forced          bool // it was not left to the scheduler
	// State names all that the rest of the run depends on, but for its preemptions. It is 0 if that is not known.
	State uint64
}

// Time stands for the next timer among the goroutines of a choice: time goes on, and it fires.
const Time = -1

// mostHurries is how often a timer fires in a run while a goroutine can run. A periodic timer could do so for ever.
const mostHurries = 100

// Longest is how many choices a run has at most.
const Longest = 500_000

// NewRun is a run that has not begun.
func NewRun(s Scheduler) *Run {
	return &Run{scheduler: s, turns: map[int]int{}, loops: loops{of: map[int]*loop{}, known: map[knowledge]bool{}}}
}

// Point is asked at a point. It returns the place of the goroutine that runs, or the number of goroutines: the next timer fires. State
// names the state of the first goroutine, as far as it has one of its own, or is 0.
func (r *Run) Point(op overlay.Kind, object uint64, goroutines []int, state uint32, timer bool) int {
	g := goroutines[0]
	stands := r.loops.stands(timer)
	timer = timer && r.hurries < mostHurries
	if len(goroutines) == 1 && !timer {
		place, _ := r.gives(op, object, goroutines, state)
		if r.forced = place > 0; r.forced {
			r.unfair = true
			r.loops.timeGoesOn()
		}
		return place
	}
	forced, again := r.gives(op, object, goroutines, state)
	if stands {
		forced, again = len(goroutines), true
	}
	r.room = append(r.room[:0], goroutines...)
	if timer || forced == len(goroutines) {
		r.room = append(r.room, Time)
	}
	c := r.next(Point, len(r.room), r.turns[g])
	c.Goroutines, c.Op, c.Object = r.room, op, object
	r.turns[g]++
	took := forced
	if !again {
		if took = r.scheduler.Choose(c); took > 0 {
			r.Preemptions++
		}
	}
	r.took(c, took, again)
	if took == len(goroutines) {
		r.hurries++
		r.loops.timeGoesOn()
	}
	return took
}

// Traced names what has happened until the next choice, up to the order of what commutes, and what can run; it is 0 if that is not known.
func (r *Run) Traced(trace uint64) { r.trace = trace }

// state names all that the rest of a run depends on at a choice: what has happened, what may happen, and what the run knows of loops and timers. It is 0 where that is
// not known, and from the first choice on that was not left to the scheduler, since such a choice depends on how the run came there.
func (r *Run) state(c *Choice) uint64 {
	if r.trace == 0 || r.unfair {
		return 0
	}
	l, h := &r.loops, r.trace
	for _, v := range [...]int{int(c.Kind), c.Of, r.hurries, l.fruitless, l.sleeping, l.slept, l.ticks, l.after} {
		h = mixed(h, uint64(v))
	}
	return h | 1
}

// Forced reports whether the last choice was not left to the scheduler.
func (r *Run) Forced() bool { return r.forced }

// Waits is told that a goroutine yields or sleeps. If the result is not 0 all that can run go round in loops, and time has to go on.
func (r *Run) Waits(op overlay.Kind, goroutines []int, state uint32) int {
	place, _ := r.gives(op, 0, goroutines, state)
	if op == overlay.Sleep || place < len(goroutines) {
		return 0
	}
	r.unfair = true
	r.loops.timeGoesOn()
	return place
}

// Sleeps is told that all goroutines wait, and some for a timer. It returns how the run goes on.
func (r *Run) Sleeps(w Sleeping) Course { return r.loops.sleeps(w) }

// Pick is asked when another goroutine has to run. It returns the place of the one that does.
func (r *Run) Pick(goroutines []int) int {
	r.room = r.room[:0]
	for _, g := range goroutines {
		if !r.loops.idle(g) {
			r.room = append(r.room, g)
		}
	}
	if some := len(r.room); some == 0 {
		r.room = append(r.room, goroutines...)
	} else if some < len(goroutines) {
		c := r.next(Pick, some, r.picks)
		c.Goroutines = r.room
		r.took(c, 0, true)
	}
	if len(r.room) == 1 {
		return slices.Index(goroutines, r.room[0])
	}
	c := r.next(Pick, len(r.room), r.picks)
	c.Goroutines = r.room
	r.picks++
	took := r.scheduler.Choose(c)
	r.took(c, took, false)
	return slices.Index(goroutines, r.room[took])
}

// Case is asked for the case of a select statement, of as many that are ready.
func (r *Run) Case(of int) int {
	c := r.next(Case, of, r.cases)
	r.cases++
	took := r.scheduler.Choose(c)
	r.took(c, took, false)
	return took
}

func (r *Run) next(k Kind, of, turn int) *Choice {
	r.choice = Choice{Kind: k, Of: of, Turn: turn}
	return &r.choice
}

func (r *Run) took(c *Choice, took int, forced bool) {
	r.unfair = r.unfair || forced
	is := Chosen{Kind: c.Kind, Of: uint16(c.Of), Took: uint16(took), Turn: int32(c.Turn), Op: c.Op, Forced: forced, State: r.state(c)}
	if c.Kind != Case {
		is.Goroutine, is.Next = int32(c.Goroutines[0]), int32(c.Goroutines[took])
	}
	if c.Kind == Pick {
		is.Goroutine = 0
	}
	r.forced = forced
	r.Choices = append(r.Choices, is)
	r.Endless = r.Endless || len(r.Choices) >= Longest
}
