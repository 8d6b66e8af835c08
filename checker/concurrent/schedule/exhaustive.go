package schedule

import (
	"fmt"
	"slices"
)

// Exhaustive makes every schedule, those without preemptions first, then those with one, and so on (preemption bounding: Musuvathi, Qadeer,
// PLDI 2007). What runs when the running goroutine cannot go on is free, and so are the cases of select statements.
//
// Nothing is left out. Operations on different objects are not independent: between them goroutines read and write plain variables, which are
// no points, and a bug may be in their order. A preemption right before a release matters too: what runs there may wait for what is released, which
// is a free switch to a third goroutine, and would need another preemption after the release.
//
// A schedule in which a goroutine was made to give way stands for those in which it went on, which are not made: from as many preemptions on as
// there were before, the search is not complete.
type Exhaustive struct {
	levels [][]branch // schedules that are to be made, by their preemptions
	level  int
	made   []int // by preemptions
	queued int
	cut    bool // some are left out, since they are too many
	forced int  // the least number of preemptions before a goroutine had to give way; most+1 if none had to
	gave   int  // schedules in which a goroutine had to give way
	most   int
}

// branch is a schedule: the choices of another up to a place, and another option there.
type branch struct {
	as   []Chosen
	at   int
	took uint16
}

// mostQueued is how many schedules are kept to be made at a time.
const mostQueued = 2_000_000

// NewExhaustive makes schedules with at most so many preemptions.
func NewExhaustive(most int) *Exhaustive {
	return &Exhaustive{levels: [][]branch{{{at: -1}}}, queued: 1, made: make([]int, most+1), forced: most + 1, most: most}
}

// Next is the scheduler of the next schedule, nil after the last.
func (e *Exhaustive) Next() *Branch {
	for len(e.levels[e.level]) == 0 {
		if e.level == e.most || e.level+1 == len(e.levels) {
			return nil
		}
		e.level++
	}
	last := len(e.levels[e.level]) - 1
	b := e.levels[e.level][last]
	e.levels[e.level] = e.levels[e.level][:last]
	e.queued--
	return &Branch{branch: b}
}

// Complete is the number of preemptions up to which every schedule was made, or -1.
func (e *Exhaustive) Complete() int {
	switch {
	case e.cut:
		return -1
	case e.queued == 0:
		return min(e.most, e.forced-1)
	}
	k := slices.IndexFunc(e.levels, func(waiting []branch) bool { return len(waiting) > 0 })
	return min(k, e.forced) - 1
}

// All reports whether there are no schedules with more preemptions than those that were made.
func (e *Exhaustive) All() bool {
	return e.queued == 0 && !e.cut && e.forced > e.most && len(e.levels) <= e.most
}

// GaveWay is the number of schedules in which a goroutine that seemed to wait in a loop had to give way.
func (e *Exhaustive) GaveWay() int { return e.gave }

// Made is how many schedules were made with so many preemptions.
func (e *Exhaustive) Made(preemptions int) int { return e.made[preemptions] }

// Learn takes in a run of the schedule that was made last. The error says that the program does not do the same each time.
func (e *Exhaustive) Learn(b *Branch, r *Run) error {
	if b.strays != "" {
		return fmt.Errorf("%s", b.strays)
	}
	e.made[min(r.Preemptions, e.most)]++
	before, gives := 0, false
	as := slices.Clip(r.Choices)
	for at, c := range as {
		if c.Forced {
			e.forced, gives = min(e.forced, before), true
			continue
		}
		if at > b.at {
			e.branch(as, at, before)
		}
		if c.Kind == Point && c.Took > 0 {
			before++
		}
	}
	if gives {
		e.gave++
	}
	return nil
}

// branch keeps the other options of a choice, before which there were some preemptions.
func (e *Exhaustive) branch(as []Chosen, at, preemptions int) {
	if as[at].Kind == Point {
		preemptions++
	}
	for len(e.levels) <= preemptions {
		e.levels = append(e.levels, nil)
	}
	if preemptions > e.most {
		return // but there are such
	}
	for took := as[at].Of - 1; took > 0; took-- {
		if e.queued >= mostQueued {
			e.cut = true
			return
		}
		e.levels[preemptions] = append(e.levels[preemptions], branch{as, at, took})
		e.queued++
	}
}

// A Branch is the scheduler of one schedule of an exhaustive search.
type Branch struct {
	branch
	next   int
	strays string
}

// Choose takes what was taken before, then the other option, and then what is usual.
func (b *Branch) Choose(c *Choice) int {
	at := b.next
	b.next++
	if at > b.at {
		return 0
	}
	was := b.as[at]
	for ; was.Forced && at < b.at; at++ {
		was = b.as[at+1]
		b.next++
	}
	if was.Kind != c.Kind || int(was.Of) != c.Of || was.Op != c.Op || int(was.Turn) != c.Turn {
		if b.strays == "" {
			b.strays = fmt.Sprintf("choice %d was %s among %d and is %s among %d when the same schedule is taken again", at+1, was.name(), was.Of, c.name(), c.Of)
		}
		return 0
	}
	if at == b.at {
		return int(b.took)
	}
	return int(was.Took)
}

func (c *Chosen) name() string { return (&Choice{Kind: c.Kind, Op: c.Op}).name() }

// name says in words what is chosen.
func (c *Choice) name() string {
	switch c.Kind {
	case Point:
		return "a point at " + c.Op.String()
	case Pick:
		return "the next goroutine"
	}
	return "a case of a select statement"
}
