package visited

import "sync"

// grow makes the table longer, in place. An entry's group lies farther on in a longer
// table, so this is done from the end, a stretch of groups at a time: the entries of a stretch
// all go behind it, where nothing is left that was not moved.
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
	var first []Entry // these go to where they were, too
	for g := range end {
		first = m.take(first, g)
	}
	for i := range first {
		s.put(&first[i])
	}
	s.comeBack()
}

// A mover moves what a table held to where it belongs now.
type mover struct {
	*Set
	old uint64 // groups
}

// begin is where the longest stretch begins all of which goes to end or behind it; end or more
// if there is none.
func (m mover) begin(end uint64) uint64 { return m.from(end) + spread }

// from is the first of the old groups whose entries all belong to group g or behind it now.
func (m mover) from(g uint64) uint64 { return (g*m.old + m.groups - 1) / m.groups }

// to is the first of the groups to which only entries of the old group g and those behind it belong.
func (m mover) to(g uint64) uint64 { return (g*m.groups + m.old - 1) / m.old }

// fewest is how many groups a worker moves at least.
const fewest = 16

// move moves a stretch. Each worker has a piece of it, and the groups to which that goes for
// itself. An entry that would go to another's, since its own groups were full in the shorter
// table or are in the longer one, is moved in the end.
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

// piece moves the old groups from first to last, and returns what is left.
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

// take takes the entries of a group out of the table, and asks memory for the buckets that
// they will be put into.
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

// put inserts an entry that is not there, by one who is alone with the table.
func (s *Set) put(e *Entry) {
	if !s.putBefore(e, tries*spread) {
		*s.noteAt(s.putAside(e.Print), 0) = e.Note
	}
}

// putBefore inserts an entry that is not there into one of the first buckets that it tries; false
// if they are full.
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
