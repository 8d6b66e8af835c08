package visited

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"contend/checker/search/fingerprint"
)

// Fingerprints are spread as sums of hashes are: mostly well, but those of states that differ
// only in how many equal messages are in flight follow each other in equal steps, and may crowd
// in one part of the table. What finds no room among all buckets that it tries stands aside, in a
// map, until the table grows. This is right because a bucket that is full stays full until then:
// all who look for the fingerprint come to its end, and look aside. It costs a lock, but only
// those who get that far.
type aside struct {
	mu      sync.Mutex
	entries map[fingerprint.Print]*bucket // each in a bucket of its own, as its first
	n       atomic.Int64
}

// asideBytes is about what an entry that stands aside takes up.
const asideBytes = 128

// standAll puts those aside that found no room.
func (s *Set) standAll(all []Lookup) {
	for i := range all {
		if l := &all[i]; l.tried > tries*spread {
			s.stand(l)
		}
	}
}

// stand finds the place of a fingerprint that stands aside, or puts it there.
func (s *Set) stand(l *Lookup) {
	s.aside.mu.Lock()
	defer s.aside.mu.Unlock()
	b := s.aside.entries[l.Print]
	if b == nil {
		b = s.putAside(l.Print)
		l.Fresh = true
	}
	l.bucket, l.i = b, 0
}

// putAside puts a fingerprint aside that is not there. The caller holds the lock, or is alone.
func (s *Set) putAside(p fingerprint.Print) *bucket {
	if s.aside.entries == nil {
		s.aside.entries = map[fingerprint.Print]*bucket{}
	}
	b := new(bucket)
	word := s.word(b, 0)
	*word = p.A
	if s.wide {
		*second(word) = p.B
	}
	s.aside.entries[p] = b
	s.aside.n.Add(1)
	return b
}

// findAside returns the note of a fingerprint that stands aside, or nil.
func (s *Set) findAside(p fingerprint.Print) *uint32 {
	s.aside.mu.Lock()
	defer s.aside.mu.Unlock()
	if b := s.aside.entries[p]; b != nil {
		return s.noteAt(b, 0)
	}
	return nil
}

// standing lists what stands aside, in order. Nobody inserts meanwhile.
func (s *Set) standing() []Entry {
	var all []Entry
	for _, p := range slices.SortedFunc(maps.Keys(s.aside.entries), fingerprint.Compare) {
		all = append(all, s.entry(s.aside.entries[p], 0))
	}
	return all
}

// comeBack puts what stood aside into the table, as far as there is room now.
func (s *Set) comeBack() {
	all := s.standing()
	s.clearAside()
	for i := range all {
		s.put(&all[i])
	}
}

func (s *Set) clearAside() {
	s.aside.entries = nil
	s.aside.n.Store(0)
}
