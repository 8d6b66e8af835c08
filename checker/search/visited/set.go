// Package visited is the set of states that a search has met.
//
// It has fingerprints, each with a note of 32 bits. It does not know what a state is. Of notes it knows only the
// tags of parents (see [Tag]). Any number of workers insert at the same time. A worker calls Room, inserts many
// fingerprints together, so that the waits for memory overlap, accesses their notes, and calls Done. The set is a
// table in memory, and runs if memory is short: files of sorted fingerprints with notes.
//
// Two states with the same fingerprint count as one.
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

// A Set is a table of fingerprints with notes.
//
// It consists of buckets of one cache line each: five fingerprints of 64 bits, or three of 128, and their notes.
// Buckets are in groups. The group of a fingerprint is proportional to it. So the table is nearly sorted: it grows
// in place in one pass, and can be written in order. Within its group a fingerprint tries a sequence of buckets,
// by double hashing, and after some of them continues in the next group. It is in the first of these buckets that
// had a free place. If none had one, it is in a map.
type Set struct {
	wide      bool    // fingerprints of 128 bits
	per       uintptr // fingerprints in a bucket
	stride    uintptr // bytes of a fingerprint
	groups    uint64
	arena     *arena.Arena
	words     []uint64
	workers   int          // for moving entries when the table grows
	limit     int64        // in entries, above which the table must grow
	allocated atomic.Int64 // bytes of the table
	aside     aside        // entries without room in the table

	directory *storage.Directory // of the runs
	most      int64              // maximum bytes of the table; 0: any number
	layer     int
	runs      []*Run
	failure   error // if set, nothing is inserted any more; access needs the lock

	_      apart // apart from what workers read: they write these all the time
	used   atomic.Int64
	spoken atomic.Int64 // used, or reserved by Room
	mu     sync.RWMutex // held for reading while inserting
	_      apart
}

// apart keeps two fields out of one cache line.
type apart [64]byte

const (
	line        = 8   // words in a bucket
	groupSize   = 256 // buckets
	firstGroups = 3
	// A table of at most fewGroups (64 MiB) doubles: the moves cost more than the memory.
	fewGroups = 4096
	// tries is the number of buckets of a group that are tried before the next group. spread is the greatest
	// distance of a fingerprint from its group. As many groups are behind the last.
	tries, spread = 32, 8
	// maxLoad is the load at which the table grows, and growth the growth, in percent.
	maxLoad, growth = 95, 30
	// fewEntries is the least number of entries before the table is written to a file.
	fewEntries = 1 << 9
)

// New returns a set of fingerprints of 128 bits, or of their first 64. Workers is the number of goroutines that
// move entries when the table grows.
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

// more returns the number of groups after the table has grown.
func (s *Set) more() uint64 {
	if s.groups <= fewGroups {
		return 2 * s.groups
	}
	return s.groups + s.groups*growth/100
}

// Grown returns the bytes of the table after it has grown.
func (s *Set) Grown() int64 { return int64(s.more()+spread) * groupSize * line * 8 }

// empty removes all entries of the table, and keeps its size.
func (s *Set) empty() {
	clear(s.words)
	s.clearAside()
	s.used.Store(0)
	s.spoken.Store(0)
}

// capacity returns the number of fingerprints up to which the table does not grow.
func (s *Set) capacity() int64 { return int64(s.groups) * groupSize * int64(s.per) * maxLoad / 100 }

func (s *Set) setLimit() {
	s.limit = s.capacity()
	if s.most > 0 {
		s.limit = min(s.limit, max(s.most*int64(s.per)/(line*8), fewEntries))
	}
}

// Len returns the number of fingerprints in the table.
func (s *Set) Len() int64 { return s.used.Load() }

// Bytes returns the bytes of the table.
func (s *Set) Bytes() int64 { return s.allocated.Load() + s.aside.n.Load()*asideBytes }

// group returns the group of a fingerprint.
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

// noteAt returns the note of the i-th fingerprint. Access must be atomic.
func (s *Set) noteAt(b *bucket, i uintptr) *uint32 {
	return (*uint32)(unsafe.Add(unsafe.Pointer(b), s.per*s.stride+i*4))
}

// Stored returns a fingerprint as stored: as wide as the table's, and not zero, since zero marks a free place.
func (s *Set) Stored(p fingerprint.Print) fingerprint.Print {
	p.A = max(p.A, 1)
	if !s.wide {
		return fingerprint.Print{A: p.A}
	}
	return fingerprint.Print{A: p.A, B: max(p.B, 1)}
}

// Altered reports whether a stored fingerprint may stand for one with a zero half. A sum of many is almost never
// zero, but an empty sum is.
func Altered(stored fingerprint.Print) bool { return stored.A == 1 || stored.B == 1 }

// Room reserves room for n more fingerprints, and returns with the lock held for reading. Done releases it. After
// the table could not be written to a file, Room always returns the error, and holds nothing.
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

// makeRoom empties or enlarges the table until there is room for n more fingerprints.
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

// Done ends the insertion of n fingerprints after Room. fresh of them were new.
func (s *Set) Done(n int, fresh int64) {
	s.used.Add(fresh)
	s.spoken.Add(fresh - int64(n))
	s.mu.RUnlock()
}

// Close frees the memory, and closes the files.
func (s *Set) Close() {
	for _, r := range s.runs {
		_ = r.blocks.Close() // it is not needed any more
	}
	s.arena.Close()
	s.words = nil
}
