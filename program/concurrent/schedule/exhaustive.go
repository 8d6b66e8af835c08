package schedule

import (
	"fmt"
	"slices"
)

// Exhaustive makes every schedule, those without preemptions first, then those with one, and so on (preemption bounding: Musuvathi, Qadeer,
// PLDI 2007). What runs when the running goroutine cannot go on is free, and so are the cases of select statements.
//
// With [NewExhaustive] nothing is left out. Operations on different objects are not independent: between them goroutines read and write plain variables, which are
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
	met    *met // nil: every schedule is made
	most   int
	beyond int  // schedules that are kept with one more
	lost   bool // some of these are not
}

// branch is a schedule: the usual option of each choice but for some, of which the last is the one in which it differs from the schedule that it was
// made of. Choices that are not left to the scheduler do not count.
type branch struct {
	but  []option
	hash uint64 // of the choices before the last of these
}

// option is what a schedule takes at a choice that is not the usual one.
type option struct {
	at   int32
	took uint16
}

// last is the choice from which on the schedule is new.
func (b *branch) last() int {
	if len(b.but) == 0 {
		return -1
	}
	return int(b.but[len(b.but)-1].at)
}

// mostQueued is how many schedules are kept to be made at a time.
const mostQueued = 2_000_000

// NewExhaustive makes schedules with at most so many preemptions.
func NewExhaustive(most int) *Exhaustive {
	return &Exhaustive{levels: [][]branch{{{}}}, queued: 1, made: make([]int, most+1), forced: most + 1, most: most}
}

// NewReduced makes schedules with at most so many preemptions, and leaves out those that come, with as many preemptions or more, to a state to which another
// has come.
func NewReduced(most int) *Exhaustive {
	e := NewExhaustive(most)
	e.met = &met{states: map[uint64]int{}}
	return e
}

// Most is how many preemptions schedules have at most.
func (e *Exhaustive) Most() int { return e.most }

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

// Least is how many preemptions the next schedule has at least, or -1 if there is none.
func (e *Exhaustive) Least() int {
	return slices.IndexFunc(e.levels[:min(len(e.levels), e.most+1)], func(waiting []branch) bool { return len(waiting) > 0 })
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
	return e.queued == 0 && !e.cut && e.forced > e.most && len(e.levels) <= e.most+1
}

// mostBeyond is how many schedules with more preemptions than the bound are kept.
const mostBeyond = 500_000

// Deepen raises the bound on preemptions by one, once all schedules within it are made. It reports whether there are such with more, and all are known.
func (e *Exhaustive) Deepen() bool {
	if e.queued > 0 || e.cut || e.lost || len(e.levels) <= e.most+1 {
		return false
	}
	e.queued, e.beyond = len(e.levels[e.most+1]), 0
	if e.forced > e.most {
		e.forced++
	}
	e.most++
	e.made = append(e.made, 0)
	return true
}

// Joined is the number of schedules that came to a state to which another had come, with as few preemptions. From there on their other ways were not made.
func (e *Exhaustive) Joined() int {
	if e.met == nil {
		return 0
	}
	return e.met.joined
}

// GaveWay is the number of schedules in which a goroutine that seemed to wait in a loop had to give way.
func (e *Exhaustive) GaveWay() int { return e.gave }

// Count returns the number of schedules with so many preemptions.
func (e *Exhaustive) Count(preemptions int) int { return e.made[preemptions] }

// Learn takes in a run of the schedule that was made last. The error says that the program does not do the same each time.
func (e *Exhaustive) Learn(b *Branch, r *Run) error {
	if b.strays != "" {
		return fmt.Errorf("%s", b.strays)
	}
	e.made[min(r.Preemptions, e.most)]++
	before, gives, hash := 0, false, uint64(0)
	but := slices.Clip(b.but)
	at := 0
	ways := e.met.of(r)
	for i := range r.Choices {
		c := &r.Choices[i]
		if c.Forced {
			e.forced, gives = min(e.forced, before), true
			continue
		}
		if at > b.last() && ways.isNew(c) {
			e.branch(c, at, before, but, hash)
		}
		hash = c.mixed(hash)
		if c.Kind == Point && c.Took > 0 {
			before++
		}
		at++
	}
	if gives {
		e.gave++
	}
	return nil
}

// branch keeps the other options of a choice, before which there were some preemptions.
func (e *Exhaustive) branch(c *Chosen, at, preemptions int, but []option, hash uint64) {
	if c.Kind == Point {
		preemptions++
	}
	for len(e.levels) <= preemptions {
		e.levels = append(e.levels, nil)
	}
	if preemptions > e.most {
		e.lost = e.lost || e.met == nil || e.beyond+int(c.Of) > mostBeyond
		if e.lost {
			e.levels[preemptions] = nil // but there are such
			return
		}
	}
	for took := c.Of - 1; took > 0; took-- {
		if e.queued >= mostQueued {
			e.cut = true
			return
		}
		e.levels[preemptions] = append(e.levels[preemptions], branch{append(but, option{int32(at), took}), hash})
		if preemptions > e.most {
			e.beyond++
		} else {
			e.queued++
		}
	}
}

// mixed mixes a choice into a hash of those before it.
func (c *Chosen) mixed(hash uint64) uint64 {
	for _, v := range [...]uint64{uint64(c.Kind), uint64(c.Of), uint64(c.Took), uint64(c.Op), uint64(uint32(c.Turn))} {
		hash = mixed(hash, v)
	}
	return hash
}

func mixed(hash, v uint64) uint64 {
	hash = (hash ^ v) * 0x9e3779b97f4a7c15
	return hash ^ hash>>29
}

// A Branch is the scheduler of one schedule of an exhaustive search.
type Branch struct {
	branch
	next   int // choice
	took   int // of the options
	mixed  uint64
	strays string
}

// Choose takes what was taken before, then the other option, and then what is usual.
func (b *Branch) Choose(c *Choice) int {
	at, take := b.next, 0
	b.next++
	if at > b.last() {
		return 0
	}
	if int(b.but[b.took].at) == at {
		take = int(b.but[b.took].took)
		b.took++
	}
	if at == b.last() && (b.mixed != b.hash || take >= c.Of) || take >= c.Of {
		if b.strays == "" {
			b.strays = fmt.Sprintf("before choice %d, %s among %d, other choices were asked for when the same schedule was taken before", at+1, c.name(), c.Of)
		}
		return 0
	}
	is := Chosen{Kind: c.Kind, Of: uint16(c.Of), Took: uint16(take), Op: c.Op, Turn: int32(c.Turn)}
	b.mixed = is.mixed(b.mixed)
	return take
}

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
