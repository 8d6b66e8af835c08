package visited

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"contend/checker/search/fingerprint"
)

// An aside is a map of the fingerprints that found no room in the table, until it grows. Sums of hashes are mostly
// spread well. But states that differ only in the number of equal messages in flight have fingerprints in equal
// steps, and may crowd one part of the table. The map is correct: a full bucket stays full until the table grows,
// so every lookup of such a fingerprint reaches its last bucket and then the map. Only these lookups pay for the
// lock.
type aside struct {
	mu      sync.Mutex
	entries map[fingerprint.Print]*bucket // each in a bucket of its own
	n       atomic.Int64
}

// asideBytes is about the size of an entry of the map.
const asideBytes = 128

// standAll inserts into the map the lookups that found no room.
func (s *Set) standAll(all []Lookup) {
	for i := range all {
		if l := &all[i]; l.tried > tries*spread {
			s.stand(l)
		}
	}
}

// stand finds a fingerprint in the map, or inserts it.
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

// putAside inserts into the map a fingerprint that is not there. The caller holds the lock, or no other worker
// runs.
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

// findAside returns the note of a fingerprint in the map; nil if it is not there.
func (s *Set) findAside(p fingerprint.Print) *uint32 {
	s.aside.mu.Lock()
	defer s.aside.mu.Unlock()
	if b := s.aside.entries[p]; b != nil {
		return s.noteAt(b, 0)
	}
	return nil
}

// standing returns the entries of the map in order. No worker inserts meanwhile.
func (s *Set) standing() []Entry {
	var all []Entry
	for _, p := range slices.SortedFunc(maps.Keys(s.aside.entries), fingerprint.Compare) {
		all = append(all, s.entry(s.aside.entries[p], 0))
	}
	return all
}

// comeBack moves the entries of the map into the table, as far as there is room.
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
