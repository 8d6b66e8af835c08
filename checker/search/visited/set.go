// Package visited is the set of states that a search has met.
//
// It knows fingerprints, each with a note of 32 bits, and nothing else: not what a state
// is, nor what notes are for, but for the names of parents that a search writes there
// (see [Tag]). Any number of workers insert at once: a worker asks for room, inserts many
// fingerprints together, so that the waits for memory overlap, reads and writes their
// notes, and says that it is done. What grows with the state space is a table in memory
// and, when memory is short, runs: files of sorted fingerprints, each with its note.
//
// Two states with one fingerprint are taken for one: how likely that is, is for those who
// make the fingerprints to say.
package visited

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"contend/checker/search/arena"
	"contend/checker/search/fingerprint"
	"contend/checker/search/storage"
)

// A Set is a table of fingerprints, each with a note.
//
// It consists of buckets of one cache line each: five fingerprints of 64 bits, or
// three of 128, and then their notes. Buckets stand in groups. A fingerprint's group is
// in proportion to it, so that the table is nearly sorted: it grows in place in one
// pass, and can be written out in order. Within its group a fingerprint has a sequence
// of buckets to try, by double hashing, and after some of them it goes on in the next
// group. It is in the first of these that had a free place, or it is not there; where none had
// one it stands aside.
type Set struct {
	wide      bool    // fingerprints of 128 bits
	per       uintptr // fingerprints in a bucket
	stride    uintptr // bytes of a fingerprint
	groups    uint64
	arena     *arena.Arena
	words     []uint64
	workers   int          // who move entries when it grows
	limit     int64        // above it the table must grow
	allocated atomic.Int64 // bytes of the table
	aside     aside        // what found no room in the table

	directory *storage.Directory // of the runs
	most      int64              // bytes that the table may take up; 0: any number
	layer     int
	runs      []*Run
	failure   error // that ended all inserting; read and written with the lock held

	_      apart // what workers write all the time is not beside what they read
	used   atomic.Int64
	spoken atomic.Int64 // used, and spoken for by those who insert
	mu     sync.RWMutex // held to read by those who insert
	_      apart
}

// apart keeps two fields out of one cache line.
type apart [64]byte

const (
	line        = 8   // words in a bucket
	groupSize   = 256 // buckets
	firstGroups = 3
	// A table of no more than fewGroups (64 MiB) is made twice as long: moving what it holds costs
	// more than the memory is worth.
	fewGroups = 4096
	// tries is how many buckets of a group are tried before the next group, and spread
	// how many groups a fingerprint may be from its own. Some stand behind the last.
	tries, spread = 32, 8
	// maxLoad, in percent, is where the table grows, and growth by how much.
	maxLoad, growth = 95, 30
	// fewEntries are held at least, however little memory there is for them.
	fewEntries = 1 << 9
)

// New makes a set of fingerprints of 128 bits, or of their first 64. When its table grows so
// many workers move it.
func New(wide bool, workers int) *Set {
	s := &Set{wide: wide, per: 5, stride: 8, groups: firstGroups, workers: workers}
	if wide {
		s.per, s.stride = 3, 16
	}
	s.arena = arena.New(s.size())
	s.words = s.arena.Words
	s.allocated.Store(int64(s.size()) * 8)
	s.setLimit()
	return s
}

func (s *Set) size() int { return int(s.groups+spread) * groupSize * line }

// more is how many groups the table will have when it has grown.
func (s *Set) more() uint64 {
	if s.groups <= fewGroups {
		return 2 * s.groups
	}
	return s.groups + s.groups*growth/100
}

// Grown is how many bytes the table will take up when it has grown.
func (s *Set) Grown() int64 { return int64(s.more()+spread) * groupSize * line * 8 }

// empty forgets everything in the table, which stays as large as it is.
func (s *Set) empty() {
	clear(s.words)
	s.clearAside()
	s.used.Store(0)
	s.spoken.Store(0)
}

// capacity is how many fingerprints the table has room for as long as it is.
func (s *Set) capacity() int64 { return int64(s.groups) * groupSize * int64(s.per) * maxLoad / 100 }

func (s *Set) setLimit() {
	s.limit = s.capacity()
	if s.most > 0 {
		s.limit = min(s.limit, max(s.most*int64(s.per)/(line*8), fewEntries))
	}
}

// Len is how many fingerprints the table holds.
func (s *Set) Len() int64 { return s.used.Load() }

// Bytes is how many bytes the table takes up.
func (s *Set) Bytes() int64 { return s.allocated.Load() + s.aside.n.Load()*asideBytes }

// group is where a fingerprint belongs.
func (s *Set) group(a uint64) uint64 {
	hi, _ := bits.Mul64(a, s.groups)
	return hi
}

// bucket returns the n-th bucket that a fingerprint tries.
func (s *Set) bucket(a uint64, n uint32) *bucket {
	within := (a + uint64(n)*(a>>8|1)) % groupSize
	return s.bucketAt((s.group(a)+uint64(n/tries))*groupSize + within)
}

func (s *Set) bucketAt(i uint64) *bucket {
	return (*bucket)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s.words)), i*line*8))
}

// A bucket is one cache line.
type bucket [line]uint64

// word returns the first word of the i-th fingerprint.
func (s *Set) word(b *bucket, i uintptr) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(b), i*s.stride))
}

func second(word *uint64) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(word), 8)) }

// noteAt returns the note of the i-th fingerprint, to be read and written atomically.
func (s *Set) noteAt(b *bucket, i uintptr) *uint32 {
	return (*uint32)(unsafe.Add(unsafe.Pointer(b), s.per*s.stride+i*4))
}

// Stored is the fingerprint as it is stored: as wide as the table's, and not zero, which
// says that a place is free.
func (s *Set) Stored(p fingerprint.Print) fingerprint.Print {
	p.A = max(p.A, 1)
	if !s.wide {
		return fingerprint.Print{A: p.A}
	}
	return fingerprint.Print{A: p.A, B: max(p.B, 1)}
}

// Altered reports whether a fingerprint as stored may stand for one that holds zero. A sum of
// many is next to never zero, but the sum of none is.
func Altered(stored fingerprint.Print) bool { return stored.A == 1 || stored.B == 1 }

// Room makes sure that n more fingerprints can be inserted, and returns with the
// lock held to read; Done gives it back, when some of them turned out to be new. When the
// table cannot be written out no room is made any more, for anybody, and nothing is held.
func (s *Set) Room(n int) error {
	for {
		s.mu.RLock()
		if s.spoken.Add(int64(n)) <= s.limit {
			return nil
		}
		s.spoken.Add(-int64(n))
		s.mu.RUnlock()
		if err := s.makeRoom(int64(n)); err != nil {
			return err
		}
	}
}

// makeRoom empties the table or makes it longer, until n more fingerprints have room.
func (s *Set) makeRoom(n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.failure == nil && s.used.Load()+n > s.limit {
		emptied, err := s.spill()
		if s.failure = err; err == nil && !emptied {
			s.grow()
		}
	}
	return s.failure
}

// Done says of n fingerprints for which there was room that they are inserted, and how many
// of them were new.
func (s *Set) Done(n int, fresh int64) {
	s.used.Add(fresh)
	s.spoken.Add(fresh - int64(n))
	s.mu.RUnlock()
}

// Close gives the memory back, and closes the files.
func (s *Set) Close() {
	for _, r := range s.runs {
		_ = r.blocks.Close() // it is not needed any more
	}
	s.arena.Close()
	s.words = nil
}
