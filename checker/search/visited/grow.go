package visited

import "sync"

// grow makes the table longer, in place. In a longer table the group of an entry lies farther on. So grow starts
// at the end and moves a range of groups at a time: all entries of the range go behind it, where everything was
// moved before.
func (s *Set) grow() {
	old := s.groups
	s.groups = s.more()
	s.arena.Resize(s.size())
	s.words = s.arena.Words
	s.allocated.Store(int64(s.size()) * 8)
	s.setLimit()
	m := mover{s, old}
	end := old + spread
	for begin := m.begin(end); begin < end; begin = m.begin(end) {
		m.move(begin, end)
		end = begin
	}
	var first []Entry // these may stay in the same groups
	for g := range end {
		first = m.take(first, g)
	}
	for i := range first {
		s.put(&first[i])
	}
	s.comeBack()
}

// A mover moves the entries of a table to their new groups.
type mover struct {
	*Set
	old uint64 // groups
}

// begin returns the start of the longest range whose entries all go to end or behind it; end or more if there is
// none.
func (m mover) begin(end uint64) uint64 { return m.from(end) + spread }

// from returns the first old group whose entries all belong to group g or behind it now.
func (m mover) from(g uint64) uint64 { return (g*m.old + m.groups - 1) / m.groups }

// to returns the first group to which only entries of the old group g and later groups belong.
func (m mover) to(g uint64) uint64 { return (g*m.groups + m.old - 1) / m.old }

// fewest is the least number of groups that a worker moves.
const fewest = 16

// move moves a range. Each worker moves a part of it, and alone writes the groups for this part. An entry whose
// own groups were full in the shorter table, or are full in the longer table, may belong to the groups of another
// worker. Such entries are moved at the end.
func (m mover) move(begin, end uint64) {
	workers := min(max(uint64(m.workers), 1), max((end-begin)/fewest, 1))
	left := make([][]Entry, workers)
	var wait sync.WaitGroup
	for i := range workers {
		first, last := begin+(end-begin)*i/workers, begin+(end-begin)*(i+1)/workers
		piece := func() { left[i] = m.piece(first, last) }
		if i+1 == workers {
			piece()
		} else {
			wait.Go(piece)
		}
	}
	wait.Wait()
	for _, some := range left {
		for i := range some {
			m.put(&some[i])
		}
	}
}

// piece moves the old groups from first to last, and returns the entries that are left.
func (m mover) piece(first, last uint64) (left []Entry) {
	own := m.to(first)
	var group []Entry
	for g := first; g < last; g++ {
		group = m.take(group[:0], g)
		for i := range group {
			if m.group(group[i].A) < own || !m.putBefore(&group[i], tries) {
				left = append(left, group[i])
			}
		}
	}
	return left
}

// take removes the entries of a group from the table, and prefetches their new buckets.
func (m mover) take(out []Entry, g uint64) []Entry {
	for at := g * groupSize; at < (g+1)*groupSize; at++ {
		b := m.bucketAt(at)
		for i := range m.taken(b) {
			e := m.entry(b, i)
			prefetch(m.bucket(e.A, 0))
			out = append(out, e)
		}
		*b = bucket{}
	}
	return out
}

// put inserts an entry that is not in the table. No other worker runs.
func (s *Set) put(e *Entry) {
	if !s.putBefore(e, tries*spread) {
		*s.noteAt(s.putAside(e.Print), 0) = e.Note
	}
}

// putBefore inserts an entry that is not in the table into one of its first buckets. It returns false if they are
// full.
func (s *Set) putBefore(e *Entry, limit uint32) bool {
	for n := range limit {
		b := s.bucket(e.A, n)
		if i := s.taken(b); i < s.per {
			word := s.word(b, i)
			*word = e.A
			if s.wide {
				*second(word) = e.B
			}
			*s.noteAt(b, i) = e.Note
			return true
		}
	}
	return false
}
