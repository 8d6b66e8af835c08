package litmus

// acquire takes a semaphore, or has the goroutine wait for it, before others if it did before.
func (s *state) acquire(m *semaphore, g int, first bool) bool {
	if m.count > 0 {
		m.count--
		return true
	}
	if first {
		m.queue.front(g)
	} else {
		m.queue.push(g)
	}
	s.parks(g)
	return false
}

func (s *state) release(m *semaphore) {
	m.count++
	if m.queue.n > 0 {
		s.wakes(m.queue.pop())
	}
}

// Phases of a goroutine that takes a mutex, from its first on.
const (
	tries   = iota // it has not asked yet
	asks           // it waits for the semaphore
	asksNow        // again
	hasIt
)

// takes goes on with taking a mutex, in phases from a first one on. It reports whether the mutex is taken.
func (s *state) takes(m *mutex, g int, from uint8) bool {
	me := &s.of[g]
	if me.phase == from+tries {
		if !m.locked {
			m.locked = true
			return true
		}
		m.waiters++
		me.phase = from + asks
	}
	for {
		if !s.acquire(&m.semaphore, g, me.phase == from+asksNow) {
			return false
		}
		m.woken = false
		if !m.locked {
			m.locked = true
			return true
		}
		m.waiters++
		me.phase = from + asksNow
	}
}

func (s *state) leaves(m *mutex) {
	m.locked = false
	if m.waiters > 0 && !m.woken {
		m.waiters--
		m.woken = true
		s.release(&m.semaphore)
	}
}

func (s *state) lock(in Instruction, g int) {
	me, m := &s.of[g], &s.locks[in.On]
	switch in.Op {
	case Lock:
		if s.takes(m, g, 0) {
			me.knows |= m.released
			me.locked[in.On] = true
			s.done(g, Nothing)
		}
	case TryLock, AwaitLock:
		if m.locked {
			if in.Op == TryLock {
				s.done(g, No)
			}
			return
		}
		m.locked = true
		me.knows |= m.released
		me.locked[in.On] = true
		s.done(g, map[Op]int{TryLock: Yes, AwaitLock: Nothing}[in.Op])
	case Unlock:
		if me.locked[in.On] {
			me.locked[in.On] = false
			s.unlocks(g, in.On)
		}
		s.done(g, Nothing)
	}
}

func (s *state) unlocks(g, on int) {
	m := &s.locks[on]
	m.released = s.of[g].knows
	s.leaves(m)
	s.of[g].free = true
}

func (s *state) rwLock(in Instruction, g int) {
	me, m := &s.of[g], &s.rwLocks[in.On]
	switch in.Op {
	case RLock:
		if me.phase == 0 {
			m.readers++
		}
		if me.phase == 0 && !m.announced || s.waitsFor(&m.forReaders, g, 1) {
			me.knows |= m.byWriter
			me.reads[in.On] = true
			s.done(g, Nothing)
		}
	case TryRLock:
		if m.announced {
			s.done(g, No)
			return
		}
		m.readers++
		me.knows |= m.byWriter
		me.reads[in.On] = true
		s.done(g, Yes)
	case RUnlock:
		if me.reads[in.On] {
			me.reads[in.On] = false
			m.byReaders |= me.knows
			m.readers--
			if m.announced {
				if m.leaving--; m.leaving == 0 {
					s.release(&m.forWriter)
				}
			}
			me.free = true
		}
		s.done(g, Nothing)
	case WLock:
		s.writes(in, g)
	case TryWLock:
		if m.writer.locked {
			s.done(g, No)
			return
		}
		m.writer.locked = true
		if m.readers > 0 {
			s.leaves(&m.writer)
			s.done(g, No)
			return
		}
		m.announced = true
		s.written(in, g, Yes)
	case WUnlock:
		if me.writes[in.On] {
			me.writes[in.On] = false
			m.byWriter = me.knows
			m.announced = false
			for range m.readers {
				s.release(&m.forReaders)
			}
			s.leaves(&m.writer)
			me.free = true
		}
		s.done(g, Nothing)
	}
}

// waitsFor has a goroutine wait for a semaphore in a phase, which it enters. It reports whether the goroutine has it.
func (s *state) waitsFor(m *semaphore, g int, phase uint8) bool {
	s.of[g].phase = phase
	return s.acquire(m, g, false)
}

// announces is the phase of a writer that has the writers' mutex and waits for readers.
const announces = 10

func (s *state) writes(in Instruction, g int) {
	me, m := &s.of[g], &s.rwLocks[in.On]
	if me.phase < announces {
		if !s.takes(&m.writer, g, 0) {
			return
		}
		m.announced = true
		if m.readers == 0 {
			s.written(in, g, Nothing)
			return
		}
		m.leaving = m.readers
	}
	if s.waitsFor(&m.forWriter, g, announces) {
		s.written(in, g, Nothing)
	}
}

func (s *state) written(in Instruction, g, sees int) {
	me, m := &s.of[g], &s.rwLocks[in.On]
	me.knows |= m.byWriter | m.byReaders
	me.writes[in.On] = true
	s.done(g, sees)
}
