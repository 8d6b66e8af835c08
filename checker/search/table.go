package search

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A table is the set of states met so far, by fingerprint, each with a note of 32
// bits. Any number of workers may insert at once.
//
// It consists of buckets of one cache line each: five fingerprints of 64 bits, or
// three of 128, and then their notes. Buckets stand in groups. A fingerprint's group is
// in proportion to it, so that the table is nearly sorted: it grows in place in one
// pass, and can be written out in order. Within its group a fingerprint has a sequence
// of buckets to try, by double hashing, and after some of them it goes on in the next
// group. It is in the first of these that had a free place, or it is not there.
type table struct {
	wide      bool    // fingerprints of 128 bits
	per       uintptr // fingerprints in a bucket
	stride    uintptr // bytes of a fingerprint
	groups    uint64
	arena     *arena
	words     []uint64
	workers   int          // who move entries when it grows
	limit     int64        // above it the table must grow
	spill     func() bool  // unless nil, is asked to empty the table before it grows
	allocated atomic.Int64 // bytes

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
	// fewGroups take up so little that a table which has no more is made twice as long.
	fewGroups = 64
	// tries is how many buckets of a group are tried before the next group, and spread
	// how many groups a fingerprint may be from its own. Some stand behind the last.
	tries, spread = 32, 8
	// maxLoad, in percent, is where the table grows, and growth by how much.
	maxLoad, growth = 95, 30
)

func newTable(wide bool) *table {
	t := &table{wide: wide, per: 5, stride: 8, groups: firstGroups}
	if wide {
		t.per, t.stride = 3, 16
	}
	t.arena = newArena(t.size())
	t.words = t.arena.words
	t.allocated.Store(int64(t.size()) * 8)
	t.setLimit()
	return t
}

func (t *table) size() int { return int(t.groups+spread) * groupSize * line }

// more is how many groups the table will have when it has grown.
func (t *table) more() uint64 {
	if t.groups <= fewGroups {
		return 2 * t.groups
	}
	return t.groups + t.groups*growth/100
}

// grown is how many bytes it takes up then.
func (t *table) grown() int64 { return int64(t.more()+spread) * groupSize * line * 8 }

// empty forgets everything, and stays as large as it is.
func (t *table) empty() {
	clear(t.words)
	t.used.Store(0)
	t.spoken.Store(0)
}

func (t *table) setLimit() {
	t.limit = int64(t.groups) * groupSize * int64(t.per) * maxLoad / 100
}

func (t *table) len() int64 { return t.used.Load() }

func (t *table) bytes() int64 { return t.allocated.Load() }

// group is where a fingerprint belongs.
func (t *table) group(a uint64) uint64 {
	hi, _ := bits.Mul64(a, t.groups)
	return hi
}

// bucket returns the n-th bucket that a fingerprint tries.
func (t *table) bucket(a uint64, n uint32) *bucket {
	if n >= tries*spread {
		panic("the table of states is full, though it grows in time")
	}
	within := (a + uint64(n)*(a>>8|1)) % groupSize
	return t.bucketAt((t.group(a)+uint64(n/tries))*groupSize + within)
}

func (t *table) bucketAt(i uint64) *bucket {
	return (*bucket)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(t.words)), i*line*8))
}

// A bucket is one cache line.
type bucket [line]uint64

// word returns the first word of the i-th fingerprint.
func (t *table) word(b *bucket, i uintptr) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(b), i*t.stride))
}

func second(word *uint64) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(word), 8)) }

// note returns the note of the i-th fingerprint, to be read and written atomically.
func (t *table) note(b *bucket, i uintptr) *uint32 {
	return (*uint32)(unsafe.Add(unsafe.Pointer(b), t.per*t.stride+i*4))
}

// stored is the fingerprint as it is stored: as wide as the table's, and not zero, which
// says that a place is free.
func (t *table) stored(p print) print {
	p.a = max(p.a, 1)
	if !t.wide {
		return print{a: p.a}
	}
	return print{p.a, max(p.b, 1)}
}

// A lookup is a fingerprint on its way through its buckets.
type lookup struct {
	print
	bucket *bucket // where it is, in the end
	i      uint8   // and its number there
	fresh  bool    // it was not there before
	tried  uint16
	from   uint32 // the name of its parent
	end    uint32 // of its vector
}

// insertAll looks up fingerprints, and inserts those that are new. The caller holds the
// lock to read, and has made room. Each goes to its next bucket before any looks into
// it, so that memory is asked for many at a time.
func (t *table) insertAll(all []lookup) {
	for i := range all {
		t.goOn(&all[i])
	}
	for tried, left := uint16(1), true; left; tried++ {
		left = false
		for i := range all {
			if l := &all[i]; l.tried == tried && !t.into(l) {
				left = true
				t.goOn(l)
			}
		}
	}
}

// goOn goes on to the next bucket of a lookup.
func (t *table) goOn(l *lookup) {
	l.bucket = t.bucket(l.a, uint32(l.tried))
	l.tried++
	prefetch(l.bucket)
}

// into finds the place of a fingerprint in the bucket at hand, or puts it there; false
// when others have all places. What others put there after the places were counted is
// met one by one.
func (t *table) into(l *lookup) bool {
	free := t.taken(l.bucket)
	i := t.held(l)
	if i >= free {
		if i = t.occupy(l, free); i == t.per {
			return false
		}
	}
	l.i = uint8(i)
	return true
}

// occupy takes one of the places from free on.
func (t *table) occupy(l *lookup, i uintptr) uintptr {
	for ; i < t.per; i++ {
		word := t.word(l.bucket, i)
		there := atomic.LoadUint64(word)
		if there == 0 {
			if atomic.CompareAndSwapUint64(word, 0, l.a) {
				if t.wide {
					atomic.StoreUint64(second(word), l.b)
				}
				l.fresh = true
				return i
			}
			there = atomic.LoadUint64(word)
		}
		if there == l.a && (!t.wide || written(second(word)) == l.b) {
			return i
		}
	}
	return t.per
}

// taken is how many places of a bucket are taken: they are the first. It is counted
// without branches, as none of them could be foretold.
func (t *table) taken(b *bucket) uintptr {
	if t.wide {
		return uintptr(differ(atomic.LoadUint64(&b[0]), 0) + differ(atomic.LoadUint64(&b[2]), 0) + differ(atomic.LoadUint64(&b[4]), 0))
	}
	return uintptr(differ(atomic.LoadUint64(&b[0]), 0) + differ(atomic.LoadUint64(&b[1]), 0) + differ(atomic.LoadUint64(&b[2]), 0) + differ(atomic.LoadUint64(&b[3]), 0) + differ(atomic.LoadUint64(&b[4]), 0))
}

// held is where a fingerprint is in the bucket at hand; the number of places if nowhere.
func (t *table) held(l *lookup) uintptr {
	b, a := l.bucket, l.a
	if t.wide {
		for i := uintptr(0); i < t.per; i++ {
			if word := t.word(b, i); atomic.LoadUint64(word) == a && written(second(word)) == l.b {
				return i
			}
		}
		return t.per
	}
	x0, x1, x2, x3, x4 := differ(atomic.LoadUint64(&b[0]), a), differ(atomic.LoadUint64(&b[1]), a), differ(atomic.LoadUint64(&b[2]), a), differ(atomic.LoadUint64(&b[3]), a), differ(atomic.LoadUint64(&b[4]), a)
	return uintptr(x0 + x0&x1 + x0&x1&x2 + x0&x1&x2&x3 + x0&x1&x2&x3&x4)
}

// differ is 1 if two words differ, and 0 if not.
func differ(x, y uint64) uint64 { return ((x ^ y) | -(x ^ y)) >> 63 }

// written waits for the other half of a fingerprint that another worker is writing.
func written(word *uint64) uint64 {
	for {
		if b := atomic.LoadUint64(word); b != 0 {
			return b
		}
	}
}

// find returns the note of a fingerprint that is there, or nil.
func (t *table) find(p print) *uint32 {
	for n := uint32(0); ; n++ {
		b := t.bucket(p.a, n)
		for i := uintptr(0); i < t.per; i++ {
			word := t.word(b, i)
			switch {
			case *word == p.a && (!t.wide || *second(word) == p.b):
				return t.note(b, i)
			case *word == 0:
				return nil
			}
		}
	}
}

// room makes sure that n more fingerprints can be inserted, and returns with the
// lock held to read; done gives it back, when some of them turned out to be new.
func (t *table) room(n int) {
	for {
		t.mu.RLock()
		if t.spoken.Add(int64(n)) <= t.limit {
			return
		}
		t.spoken.Add(-int64(n))
		t.mu.RUnlock()
		t.mu.Lock()
		for t.used.Load()+int64(n) > t.limit {
			if t.spill == nil || !t.spill() {
				t.grow()
			}
		}
		t.mu.Unlock()
	}
}

func (t *table) done(n int, fresh int64) {
	t.used.Add(fresh)
	t.spoken.Add(fresh - int64(n))
	t.mu.RUnlock()
}

// An entry is a fingerprint with its note, out of the table.
type entry struct {
	print
	note uint32
}

func (t *table) entry(b *bucket, i uintptr) entry {
	word := t.word(b, i)
	e := entry{print{a: *word}, *t.note(b, i)}
	if t.wide {
		e.b = *second(word)
	}
	return e
}

// The note of a state names its parent by the first 31 bits of the parent's
// fingerprint: enough to find it, and the same however many workers there are. In an
// exact search its last bit says that the state was met in the present layer, and of
// the parents in the layer before the least by that name is kept, whichever came first.

// tagOf is the name of a state among parents.
func tagOf(a uint64) uint32 { return max(uint32(a>>33), 1) }

// leastParent notes one of the parents of a state.
func leastParent(note *uint32, tag uint32) {
	mine := tag<<1 | 1
	for {
		old := atomic.LoadUint32(note)
		if old != 0 && (old&1 == 0 || old <= mine) || atomic.CompareAndSwapUint32(note, old, mine) {
			return
		}
	}
}

// settle says that a state's layer is complete.
func settle(note *uint32) { atomic.StoreUint32(note, atomic.LoadUint32(note)&^1) }

// tagged returns the fingerprints that go by a name.
func (t *table) tagged(tag uint32) []print {
	first := uint64(tag) << 33
	if tag == 1 {
		first = 0 // it stands for 0 as well
	}
	from, to := t.group(first), t.group(uint64(tag)<<33|1<<33-1)+spread
	var out []print
	for at := from * groupSize; at < to*groupSize; at++ {
		for i := uintptr(0); i < t.per; i++ {
			word := t.word(t.bucketAt(at), i)
			p := print{a: *word}
			if t.wide {
				p.b = *second(word)
			}
			if p.a != 0 && tagOf(p.a) == tag {
				out = append(out, p)
			}
		}
	}
	return out
}

// close gives the memory back.
func (t *table) close() { t.arena.close(); t.words = nil }
