// Package schedule decides how the goroutines of a program take turns: all ways with few preemptions, and samples of the others. It sees
// choices only, so that anything may be scheduled that names its goroutines and what they are about to do.
package schedule

import (
	"contend/model/program/overlay"
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
	// Goroutines can run. At a point the first is the one that runs. None at a case.
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
	current   int             // the goroutine that passed the last point
	alone     int             // points that it passed in a row
	around    int             // of these, the last that are about few objects
	objects   map[uint64]bool // which those are
	choice    Choice
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
}

const (
	// Patience is how many points about the same few objects a goroutine passes in a row before another one that can run gets its
	// turn, which is no preemption: it seems to wait in a loop.
	Patience = 100
	// Few is how many objects are few.
	Few = 4
	// LongPatience is how many points a goroutine passes in a row, whatever they are about.
	LongPatience = 2_000
	// Longest is how many choices a run has at most.
	Longest = 50_000
)

// NewRun is a run that has not begun.
func NewRun(s Scheduler) *Run {
	return &Run{scheduler: s, turns: map[int]int{}, current: -1, objects: map[uint64]bool{}}
}

// Point is asked at a point. It returns the place of the goroutine that runs.
func (r *Run) Point(op overlay.Kind, object uint64, goroutines []int) int {
	g := goroutines[0]
	forced := r.waits(g, object)
	c := r.next(Point, len(goroutines), r.turns[g])
	c.Goroutines, c.Op, c.Object = goroutines, op, object
	r.turns[g]++
	took := 0
	if forced {
		took = 1
	} else if took = r.scheduler.Choose(c); took > 0 {
		r.Preemptions++
	}
	r.took(c, took, forced)
	return took
}

// waits reports whether a goroutine that passes a point seems to wait in a loop.
func (r *Run) waits(g int, object uint64) bool {
	if r.current != g {
		r.current, r.alone, r.around = g, 0, 0
		clear(r.objects)
	}
	if !r.objects[object] && len(r.objects) == Few {
		r.around = 0
		clear(r.objects)
	}
	r.objects[object] = true
	r.alone++
	r.around++
	if r.around <= Patience && r.alone <= LongPatience {
		return false
	}
	r.current = -1
	return true
}

// Forced reports whether the last choice was not left to the scheduler.
func (r *Run) Forced() bool { return len(r.Choices) > 0 && r.Choices[len(r.Choices)-1].Forced }

// Pick is asked when another goroutine has to run. It returns the place of the one that does.
func (r *Run) Pick(goroutines []int) int {
	c := r.next(Pick, len(goroutines), r.picks)
	c.Goroutines = goroutines
	r.picks++
	took := r.scheduler.Choose(c)
	r.took(c, took, false)
	return took
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
	is := Chosen{Kind: c.Kind, Of: uint16(c.Of), Took: uint16(took), Turn: int32(c.Turn), Op: c.Op, Forced: forced}
	if c.Kind != Case {
		is.Goroutine, is.Next = int32(c.Goroutines[0]), int32(c.Goroutines[took])
	}
	if c.Kind == Pick {
		is.Goroutine = 0
	}
	r.Choices = append(r.Choices, is)
	r.Endless = r.Endless || len(r.Choices) >= Longest
}
