package litmus

// parks has the running goroutine wait.
func (s *state) parks(g int) {
	s.of[g].status = waits
	s.running = -1
}

func (s *state) wakes(g int) { s.of[g].status = ready }

// done ends an instruction, at which the goroutine saw something.
func (s *state) done(g, saw int) {
	me := &s.of[g]
	me.saw[me.at] = uint8(saw)
	me.at++
	me.phase, me.got, me.ticket = 0, 0, 0
}

// An explorer computes what a program comes to.
type explorer struct {
	*Program
	access    [MostGoroutines][MostOps]set // of an instruction to a variable, or 0
	conflicts map[set]set
	most      int // states
}

// Accesses that other than plain ones make: a send reads a channel that a close writes, and an Add reads a group that a Wait writes.
const (
	ofChannel = 10
	ofGroup   = 20
)

// numbers numbers the accesses to variables. It reports whether there are not too many.
func (e *explorer) numbers() bool {
	type access struct {
		g, on  int
		writes bool
	}
	var all []access
	for g, body := range e.Bodies {
		for at, in := range body {
			a := access{g: g, on: in.On}
			switch in.Op {
			case Read:
			case Write:
				a.writes = true
			case Do:
				if in.Value == 0 {
					continue
				}
				a.on, a.writes = in.Value-1, true
			case Send:
				a.on += ofChannel
			case Close:
				a.on, a.writes = a.on+ofChannel, true
			case Add:
				a.on += ofGroup
			case Wait:
				a.on, a.writes = a.on+ofGroup, true
			default:
				continue
			}
			if len(all) == 64 {
				return false
			}
			e.access[g][at] = 1 << len(all)
			all = append(all, a)
		}
	}
	e.conflicts = map[set]set{}
	for i, a := range all {
		for j, b := range all {
			if a.g != b.g && a.on == b.on && (a.writes || b.writes) {
				e.conflicts[1<<i] |= 1 << j
			}
		}
	}
	return true
}

// accesses notes the access of a goroutine's instruction. It is a race if another one conflicts of which the goroutine does not know.
func (e *explorer) accesses(s *state, g int) {
	me := &s.of[g]
	is := e.access[g][me.at]
	if s.accesses&e.conflicts[is]&^me.knows != 0 {
		s.raced = true
	}
	s.accesses |= is
	me.knows |= is
}

// points reports whether another goroutine may run instead of one, before what it does next.
func (e *explorer) points(s *state, g int) bool {
	me := &s.of[g]
	if me.free || g == canceller {
		return true
	}
	if int(me.at) >= len(e.Bodies[g]) {
		return false
	}
	in := e.Bodies[g][me.at]
	switch in.Op {
	case Go, Read, Write, Yield, Sleep:
		return false
	case Unlock:
		return me.phase == 0 && me.locked[in.On]
	case WUnlock:
		return me.phase == 0 && me.writes[in.On]
	case RUnlock:
		return me.phase == 0 && me.reads[in.On]
	case Select:
		return me.phase == 1
	case CondWait:
		return me.locked[0] && me.phase == 0 || me.phase == unlocking || me.phase == locking
	case Do:
		return me.phase == 0 || me.phase == within
	}
	return me.phase == 0
}

// step has the running goroutine go on until it waits, or its next operation may be preempted.
func (e *explorer) step(s *state, choose func(int) int) {
	g := int(s.running)
	me := &s.of[g]
	me.free = false
	if g == canceller {
		e.cancel(s)
		me.status = ends
		s.running = -1
		return
	}
	if int(me.at) >= len(e.Bodies[g]) {
		me.status = ends
		s.running = -1
		s.returned = s.returned || g == 0
		return
	}
	at := me.at
	in := e.Bodies[g][at]
	switch in.Op {
	case Go:
		child := &s.of[in.On]
		child.status, child.knows = ready, me.knows
		me.free = true
		s.done(g, Nothing)
	case Lock, TryLock, Unlock, AwaitLock:
		s.lock(in, g)
	case WLock, TryWLock, WUnlock, RLock, TryRLock, RUnlock:
		s.rwLock(in, g)
	case Send, Receive, Close:
		if in.Op == Send && me.phase == 0 || in.Op == Close && !s.channels[in.On].closed {
			e.accesses(s, g)
		}
		e.channel(s, in, g)
	case Select:
		e.selects(s, in, g, choose)
	case Add, Done, Wait:
		e.group(s, in, g)
	case CondWait, Signal, Broadcast:
		s.conds(in, g)
	case Do:
		e.do(s, in, g)
	case Yield:
		s.running = -1
		s.done(g, Nothing)
	case Sleep:
		if me.phase == 0 {
			me.phase = 1
			s.sets(wakes, g, in.Value)
			s.parks(g)
		} else {
			s.done(g, Nothing)
		}
	case Expired:
		s.done(g, yes(s.ended))
	case Read, Write:
		e.accesses(s, g)
		if in.Op == Write {
			s.values[in.On] = 1
			s.done(g, Nothing)
		} else {
			s.done(g, Number+int(s.values[in.On]))
		}
	default:
		s.atomic(in, g)
	}
	if me.at == at+1 && me.saw[at] == Panicked {
		me.at = uint8(max(int(at), len(e.Bodies[g])-2) + 1)
	}
}

func (s *state) atomic(in Instruction, g int) {
	me, x, released := &s.of[g], &s.atomics[in.On], &s.released[in.On]
	switch in.Op {
	case Load:
		me.knows |= *released
		s.done(g, Number+int(*x))
	case Await:
		me.knows |= *released
		if *x != 0 {
			s.done(g, Nothing)
		}
	case Store:
		*x, *released = uint8(in.Value), me.knows
		s.done(g, Nothing)
	case AddAtomic:
		s.adds(in.On, g)
		s.done(g, Number+int(*x))
	case Swap:
		me.knows |= *released
		if *x != 0 {
			s.done(g, No)
			return
		}
		*x, *released = uint8(in.Value), me.knows
		s.done(g, Yes)
	}
}

func (s *state) adds(on, g int) {
	s.of[g].knows |= s.released[on]
	s.released[on] = s.of[g].knows
	s.atomics[on]++
}

func (e *explorer) group(s *state, in Instruction, g int) {
	me, w := &s.of[g], &s.groups[in.On]
	switch {
	case in.Op == Wait && me.phase == 0 && w.counter == 0:
		me.knows |= w.released
		s.done(g, Nothing)
	case in.Op == Wait:
		if me.phase == 0 {
			if w.waiters++; w.waiters == 1 {
				e.accesses(s, g)
			}
		}
		if !s.waitsFor(&w.semaphore, g, 1) {
			return
		}
		me.knows |= w.released
		saw := Nothing
		if w.counter != 0 || w.waiters != 0 {
			saw = Panicked
		}
		s.done(g, saw)
	default:
		delta := int8(in.Value)
		if in.Op == Done {
			delta = -1
			w.released |= me.knows
		}
		w.counter += delta
		if delta > 0 && w.counter == delta {
			e.accesses(s, g)
		}
		if w.counter < 0 || w.waiters != 0 && delta > 0 && w.counter == delta {
			s.done(g, Panicked)
			return
		}
		if w.counter == 0 && w.waiters > 0 {
			n := w.waiters
			w.waiters = 0
			for range n {
				s.release(&w.semaphore)
			}
		}
		me.free = in.Op == Done
		s.done(g, Nothing)
	}
}

// Phases of Cond.Wait.
const (
	unlocking = 1 + iota
	parking
	parked
	locking
)

func (s *state) conds(in Instruction, g int) {
	me, c := &s.of[g], &s.cond
	switch in.Op {
	case Signal:
		if c.notified < c.next {
			for i := range c.queue.n {
				if r := int(c.queue.of[i]); s.of[r].ticket == c.notified {
					s.wakesOf(r)
					break
				}
			}
			c.notified++
		}
		me.free = true
		s.done(g, Nothing)
		return
	case Broadcast:
		for c.queue.n > 0 {
			s.wakesOf(int(c.queue.of[0]))
		}
		c.notified = c.next
		me.free = true
		s.done(g, Nothing)
		return
	}
	switch {
	case me.phase == 0 && !me.locked[0]:
		s.done(g, Nothing)
	case me.phase == 0:
		me.ticket = c.next
		c.next++
		me.phase = unlocking
	case me.phase == unlocking:
		s.unlocks(g, 0)
		me.phase = parking
	case me.phase == parking:
		if me.ticket < c.notified {
			me.phase = locking
			return
		}
		me.phase = parked
		c.queue.push(g)
		s.parks(g)
	case me.phase == parked:
		me.phase = locking
	case s.takes(&s.locks[0], g, locking):
		me.knows |= s.locks[0].released
		s.done(g, Nothing)
	}
}

func (s *state) wakesOf(g int) {
	s.cond.queue.remove(g)
	s.wakes(g)
}

// Phases of Once.Do.
const (
	once1  = 1  // it waits for the mutex
	within = 10 // of the function
)

func (e *explorer) do(s *state, in Instruction, g int) {
	me, o := &s.of[g], &s.onces[in.On]
	switch {
	case me.phase == within:
		s.adds(0, g)
		if in.Value > 0 {
			e.accesses(s, g)
			s.values[in.Value-1]++
		}
		o.done, o.knows = true, me.knows
	case me.phase == 0 && o.done:
		me.knows |= o.knows
		s.done(g, Nothing)
		return
	default:
		if !s.takes(&o.mutex, g, 0) {
			return
		}
		me.knows |= o.knows
		if !o.done {
			me.phase = within
			return
		}
	}
	s.leaves(&o.mutex)
	s.done(g, Nothing)
}

// fires has time go on to the next timer. All that are due then fire. It returns the goroutine that is woken first, or -1.
func (s *state) fires() int {
	first := -1
	for s.now = s.timers[0].due; s.timers[0].kind != unset && s.timers[0].due == s.now; {
		t := s.timers[0]
		copy(s.timers[:], s.timers[1:])
		s.timers[mostTimers-1] = timer{}
		if g := s.expires(t); first < 0 {
			first = g
		}
	}
	return first
}

// expires does what a timer is set for. It returns the goroutine that is woken, or -1.
func (s *state) expires(t timer) int {
	g := int(t.of)
	me := &s.of[g]
	switch {
	case t.kind == cancels:
		me.status = ready
		return g
	case t.kind == wakes:
		s.wakes(g)
		return g
	case me.at == t.at && me.phase == 1:
		me.got = Timed
	case me.at == t.at && me.phase == 2 && me.status == waits:
		s.leavesQueues(g)
		me.got = Timed
		s.wakes(g)
		return g
	}
	return -1
}

// cancel ends the context.
func (e *explorer) cancel(s *state) {
	s.ended = true
	for g := range e.Bodies {
		if me := &s.of[g]; me.status == waits && int(me.at) < len(e.Bodies[g]) {
			if in := e.Bodies[g][me.at]; in.Op == Select && in.Cases.Context {
				s.leavesQueues(g)
				me.got = Ended
				s.wakes(g)
			}
		}
	}
}
