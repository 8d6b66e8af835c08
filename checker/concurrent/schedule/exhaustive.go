package schedule

import (
	"fmt"
	"slices"
)

// Exhaustive makes every schedule, those without preemptions first, then those with one, and so on (preemption bounding: Musuvathi, Qadeer,
// PLDI 2007). What runs when the running goroutine cannot go on is free, and so are the cases of select statements.
//
// A preemption right before an operation that only releases something is left out as long as no goroutine tries a lock: what runs there can run
// right after it. Nothing else is left out. Operations on different objects are not independent: between them goroutines read and write plain
// variables, which are no points, and a bug may be in their order.
type Exhaustive struct {
	levels [][]branch // schedules that are to be made, by their preemptions
	level  int
	made   []int // by preemptions
	tries  bool  // some goroutine tries a lock
	queued int
	cut    bool // some are left out, since they are too many
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
	return &Exhaustive{levels: [][]branch{{{at: -1}}}, queued: 1, made: make([]int, most+1), most: most}
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
		return e.most
	}
	for k, waiting := range e.levels {
		if len(waiting) > 0 {
			return k - 1
		}
	}
	return -1
}

// All reports whether there are no schedules with more preemptions than those that were made.
func (e *Exhaustive) All() bool { return e.queued == 0 && !e.cut && len(e.levels) <= e.most }

// Made is how many schedules were made with so many preemptions.
func (e *Exhaustive) Made(preemptions int) int { return e.made[preemptions] }

// Learn takes in a run of the schedule that was made last. The error says that the program does not do the same each time.
func (e *Exhaustive) Learn(b *Branch, r *Run) error {
	if b.strays != "" {
		return fmt.Errorf("%s", b.strays)
	}
	e.made[min(r.Preemptions, e.most)]++
	if !e.tries && slices.ContainsFunc(r.Choices, func(c Chosen) bool { return c.Kind == Point && c.Op.Tries() }) {
		e.tries = true
		e.restart()
		return nil
	}
	before := 0
	as := slices.Clip(r.Choices)
	for at, c := range as {
		if at > b.at && !c.Forced && !(c.Kind == Point && c.Op.Releases() && !e.tries) {
			e.branch(as, at, before)
		}
		if c.Kind == Point && c.Took > 0 && !c.Forced {
			before++
		}
	}
	return nil
}

// restart begins anew, since operations that release something matter now.
func (e *Exhaustive) restart() {
	*e = *NewExhaustive(e.most)
	e.tries = true
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
