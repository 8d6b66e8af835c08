package schedule

import "contend/program/overlay"

// loops finds goroutines that go round in a loop in which nothing changes, as those that wait for others by asking again and again.
//
// At a point the program may name the state of the goroutine: what is on its stack, and the word that the operation is about. A goroutine that comes to the same
// point in the same state many times, while no other goroutine does anything new, is idle: it waits for others. Then another one that can run and is not
// idle gets its turn, without a preemption. This is the fairness without which such a loop has no end (Musuvathi, Qadeer, PLDI 2008). If all that can run are
// idle time goes on. A loop that counts, or that goes through a list, is never in the same state again, and so ends by itself.
//
// What a goroutine changes outside of its stack is not in its state. A loop that does that alone, such as one that empties a queue, may be taken
// for one that waits after [Patience] rounds. So the schedules in which it goes on count as left out: see [Exhaustive].
//
// The cost is a look into a map for each point that has a state.
type loops struct {
	of        map[int]*loop
	news      int                // how often anything new was done, or time went on
	known     map[knowledge]bool // states that were there before
	fruitless int                // how often time went on in loops since a state came that was never there before
	sleeping  int                // how often all slept since then
	slept     int                // in all
	ticks     int                // of periodic timers while another is set
	ticking   int                // how often all slept in a row while all timers were periodic
	still     int                // points since time went on
	after     int                // since the body has returned
	current   int                // the goroutine that passed the last point
	alone     int                // points that it passed in a row
	long      int                // how often these were too many
}

// A loop is what is known of a goroutine since another one did something new.
type loop struct {
	since int // as news
	seen  map[where]bool
	times int // how often it was where it was before
	idle  bool
}

// where is where a goroutine is, and in which state.
type where struct {
	op     overlay.Kind
	object uint64
	state  uint32
}

type knowledge struct {
	of int
	at where
}

const (
	// Patience is how many points a goroutine passes at which it has been before in the same state until it counts as idle.
	Patience = 100
	// again is how often it is there until nothing is chosen there any more.
	again = 4
	// yieldPatience is the same for a goroutine that yields.
	yieldPatience = 3
	// LongPatience is how many points a goroutine passes in a row, whatever its state is.
	LongPatience = 5_000
	// mostFruitless is how often time goes on in loops, or while all sleep, until the run is given up.
	mostFruitless = 1_000
	// longStill is how many points are passed while a timer is set until it fires, although goroutines can run and do something new.
	longStill = 50_000
	// mostSleeps is how often all sleep in a run at most, and mostAfter how often once the body has returned.
	mostSleeps, mostAfter = 1_000_000, 50
	// mostTicks is how often periodic timers fire until time goes on to one that is due once.
	mostTicks = 10
	// mostTicking is how often all sleep in a row while all timers are periodic, until what goes on goes on for ever. It may be new each time, such as what the clock shows.
	mostTicking = 10_000
	// settled is how often all sleep without anything new until what goes on goes on for ever.
	settled = 5
)

// gives is asked at a point. It returns the place of the goroutine that has to run instead of the first, the number of goroutines if time has to go
// on, and else 0; and whether nothing is left to the scheduler. Nothing is left either where the goroutine only comes again to where it was: whatever could run now
// could have run then.
func (r *Run) gives(op overlay.Kind, object uint64, goroutines []int, state uint32) (place int, forced bool) {
	l, g := &r.loops, goroutines[0]
	switch l.meets(g, where{op, object, state}, len(goroutines)) {
	case isAgain:
		return 0, true
	case isIdle:
		for i, other := range goroutines[1:] {
			if !l.idle(other) {
				return i + 1, true
			}
		}
		l.fruitless++
		r.Endless = r.Endless || l.fruitless > mostFruitless
		return len(goroutines), true
	}
	if l.alone > LongPatience {
		l.current = Time
		if l.long++; l.long%len(goroutines) == 0 {
			return len(goroutines), true
		}
		return 1, true
	}
	return 0, false
}

// What is known of a goroutine at a place.
const (
	isNew   = iota
	isAgain // it was there before, a few times
	isIdle
)

// meets notes that a goroutine is at a place, and returns what is known of it.
func (l *loops) meets(g int, at where, canRun int) int {
	if canRun > 1 || at.state != 0 {
		if l.current != g {
			l.current, l.alone = g, 0
		}
		l.alone++
	}
	if at.state == 0 {
		if canRun > 1 { // else it is not told of all points
			l.does(g)
		}
		return isNew
	}
	is := l.loop(g)
	if is.since != l.news {
		*is = loop{since: l.news, seen: map[where]bool{}}
	}
	if !is.seen[at] {
		is.seen[at] = true
		if k := (knowledge{g, at}); !l.known[k] {
			l.known[k] = true
			l.fruitless, l.sleeping = 0, 0
			l.does(g)
		}
		return isNew
	}
	is.times++
	patience := Patience
	if at.op == overlay.Yield {
		patience = yieldPatience
	}
	is.idle = is.idle || is.times >= patience
	switch {
	case is.idle:
		return isIdle
	case is.times >= again:
		return isAgain
	}
	return isNew
}

func (l *loops) loop(g int) *loop {
	is := l.of[g]
	if is == nil {
		is = &loop{since: -1}
		l.of[g] = is
	}
	return is
}

// does notes that a goroutine does something new. What others know they have to look at again.
func (l *loops) does(g int) {
	l.news++
	if is := l.loop(g); is.since >= 0 {
		is.since = l.news
	}
}

func (l *loops) timeGoesOn() {
	l.news++
	l.still = 0
}

// stands notes a point, and reports whether a timer is set and time has stood still for too long.
func (l *loops) stands(timer bool) bool {
	l.still++
	return timer && l.still > longStill
}

// idle reports whether a goroutine goes round in a loop, and nothing has changed since it did.
func (l *loops) idle(g int) bool {
	is := l.of[g]
	return is != nil && is.idle && is.since == l.news
}

// Sleeping is what a run is like in which all goroutines wait, and some for a timer.
type Sleeping struct {
	Over  bool // the body has returned
	Once  bool // a timer is set that is due once, not again and again
	Later bool // and one that is due again and again comes before it
	Stuck bool // a goroutine waits for something else than a timer, and has not run since the body returned
	Ripe  bool // all that wait for timers have run a few times since then
}

// A Course is how such a run goes on.
type Course int

// The courses.
const (
	Continues Course = iota // time goes on to the next timer
	Skips                   // time goes on to the next timer that is due once
	Ends                    // what waits waits for ever
	Cut                     // it ends, and whether something waits for ever is not known
)

// sleeps decides how a run goes on. While a timer is set that is due once, others tick: after some ticks time goes on to that one, as on a machine that is busy. Where all
// timers are periodic, and what they wake is where it was before each time, a goroutine that waits for something else waits for ever.
func (l *loops) sleeps(w Sleeping) Course {
	l.timeGoesOn()
	goesOn := Continues
	if w.Once && w.Later {
		if l.ticks++; l.ticks < mostTicks {
			return Continues
		}
		l.ticks, goesOn = 0, Skips
	}
	l.sleeping++
	l.slept++
	if l.ticking++; w.Once {
		l.ticking = 0
	}
	if !w.Over {
		if l.sleeping > mostFruitless || l.slept > mostSleeps || l.ticking > mostTicking {
			return Ends
		}
		return goesOn
	}
	l.after++
	switch {
	case !w.Once && !w.Stuck, !w.Once && w.Ripe && l.sleeping > settled:
		return Ends
	case l.after > mostAfter:
		return Cut
	}
	return goesOn
}
