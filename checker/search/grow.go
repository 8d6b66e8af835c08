package search

import "sync"

// grow makes the table longer, in place. An entry's group lies farther on in a longer
// table, so this is done from the end, a stretch of groups at a time: the entries of a stretch
// all go behind it, where nothing is left that was not moved.
func (t *table) grow() {
	old := t.groups
	t.groups = t.more()
	t.arena.resize(t.size())
	t.words = t.arena.words
	t.allocated.Store(int64(t.size()) * 8)
	t.setLimit()
	m := mover{t, old}
	end := old + spread
	for begin := m.begin(end); begin < end; begin = m.begin(end) {
		m.move(begin, end)
		end = begin
	}
	var first []entry // these go to where they were, too
	for g := range end {
		first = m.take(first, g)
	}
	for i := range first {
		t.put(&first[i])
	}
}

// A mover moves what a table held to where it belongs now.
type mover struct {
	*table
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
	left := make([][]entry, workers)
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
func (m mover) piece(first, last uint64) (left []entry) {
	own := m.to(first)
	var group []entry
	for g := first; g < last; g++ {
		group = m.take(group[:0], g)
		for i := range group {
			if m.group(group[i].a) < own || !m.putBefore(&group[i], tries) {
				left = append(left, group[i])
			}
		}
	}
	return left
}

// take takes the entries of a group out of the table, and asks memory for the buckets that
// they will be put into.
func (m mover) take(out []entry, g uint64) []entry {
	for at := g * groupSize; at < (g+1)*groupSize; at++ {
		b := m.bucketAt(at)
		for i := range m.taken(b) {
			e := m.entry(b, i)
			prefetch(m.bucket(e.a, 0))
			out = append(out, e)
		}
		*b = bucket{}
	}
	return out
}

// put inserts an entry that is not there, by one who is alone with its group and those behind it.
func (t *table) put(e *entry) { t.putBefore(e, tries*spread) }

// putBefore inserts an entry that is not there into one of the first buckets that it tries; false
// if they are full.
func (t *table) putBefore(e *entry, limit uint32) bool {
	for n := range limit {
		b := t.bucket(e.a, n)
		if i := t.taken(b); i < t.per {
			word := t.word(b, i)
			*word = e.a
			if t.wide {
				*second(word) = e.b
			}
			*t.note(b, i) = e.note
			return true
		}
	}
	return false
}
