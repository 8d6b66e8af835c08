package schedule

// met is to which states schedules have come.
//
// A state is what has happened, up to the order of operations that commute, and what may happen next: see [Chosen.State]. Two schedules that come to the same state
// can go on in the same ways. So it is enough to make the ways of the one with fewer preemptions. This is caching of happens-before graphs as in CHESS (Musuvathi,
// Qadeer: Partial-order reduction for context-bounded state exploration, MSR-TR-2007-12). It keeps within a bound on preemptions, as sleep sets do not (Coons, Musuvathi,
// McKinley, OOPSLA 2013): schedules come in the order of their preemptions, so that the one that came first has no more than any that comes later.
//
// What goes on from a state is made by the first schedule that came there. That one may join another later, which was first at some state before. So all is made in the end.
type met struct {
	states map[uint64]int // by which run
	run    int
	joined int
}

// mostStates is how many states are kept. From others every way is made.
const mostStates = 4_000_000

// ways is how a run goes through states.
type ways struct {
	met    *met
	last   uint64 // state
	joined bool
}

// of begins to go through a run. A nil receiver keeps no states.
func (m *met) of(*Run) ways {
	if m != nil {
		m.run++
	}
	return ways{met: m}
}

// isNew reports whether the other ways of a choice are to be made. They are not from a state on to which another run has come. Nor are those of a point
// that lies behind another one in the same state: the goroutine has done nothing in between that another could see, so that it is as good to preempt it before.
func (w *ways) isNew(c *Chosen) bool {
	if w.met == nil || c.State == 0 {
		w.last = 0
		return true
	}
	if w.joined {
		return false
	}
	last := w.last
	w.last = c.State
	by, known := w.met.states[c.State]
	switch {
	case known && by != w.met.run:
		w.joined = true
		w.met.joined++
		return false
	case known && c.Kind == Point && last == c.State:
		return false
	case !known && len(w.met.states) < mostStates:
		w.met.states[c.State] = w.met.run
	}
	return true
}
