package visited

import (
	"sync/atomic"

	"contend/checker/search/fingerprint"
)

// A Lookup is a fingerprint on its way through its buckets.
type Lookup struct {
	fingerprint.Print
	bucket *bucket // where it is, in the end
	i      uint8   // and its number there
	Fresh  bool    // it was not there before
	tried  uint16
	From   uint32 // the caller's: the name of its parent
	End    uint32 // the caller's: where its state ends among others
}

// Begin makes a lookup of a fingerprint as it is stored, to be inserted.
func (l *Lookup) Begin(p fingerprint.Print, from, end uint32) {
	l.Print, l.From, l.End = p, from, end
	l.tried, l.Fresh = 0, false
}

// Note returns the note of a fingerprint that was inserted, to be read and written atomically.
func (s *Set) Note(l *Lookup) *uint32 { return s.noteAt(l.bucket, uintptr(l.i)) }

// InsertAll looks up fingerprints, and inserts those that are new. The caller holds the
// lock to read, and has made room. Each goes to its next bucket before any looks into
// it, so that memory is asked for many at a time.
func (s *Set) InsertAll(all []Lookup) {
	for i := range all {
		s.goOn(&all[i])
	}
	left := true
	for tried := uint16(1); left && tried <= tries*spread; tried++ {
		left = false
		for i := range all {
			if l := &all[i]; l.tried == tried && !s.into(l) {
				left = true
				s.goOn(l)
			}
		}
	}
	if left {
		s.standAll(all)
	}
}

// goOn goes on to the next bucket of a lookup.
func (s *Set) goOn(l *Lookup) {
	l.bucket = s.bucket(l.A, uint32(l.tried))
	l.tried++
	prefetch(l.bucket)
}

// into finds the place of a fingerprint in the bucket at hand, or puts it there; false
// when others have all places. What others put there after the places were counted is
// met one by one.
func (s *Set) into(l *Lookup) bool {
	free := s.taken(l.bucket)
	i := s.held(l)
	if i >= free {
		if i = s.occupy(l, free); i == s.per {
			return false
		}
	}
	l.i = uint8(i)
	return true
}

// occupy takes one of the places from free on.
func (s *Set) occupy(l *Lookup, i uintptr) uintptr {
	for ; i < s.per; i++ {
		word := s.word(l.bucket, i)
		if atomic.CompareAndSwapUint64(word, 0, l.A) {
			if s.wide {
				atomic.StoreUint64(second(word), l.B)
			}
			l.Fresh = true
			return i
		}
		if atomic.LoadUint64(word) == l.A && (!s.wide || written(second(word)) == l.B) {
			return i
		}
	}
	return s.per
}

// taken is how many places of a bucket are taken: they are the first. It is counted
// without branches, as none of them could be foretold.
func (s *Set) taken(b *bucket) uintptr {
	if s.wide {
		return uintptr(some(atomic.LoadUint64(&b[0])) + some(atomic.LoadUint64(&b[2])) + some(atomic.LoadUint64(&b[4])))
	}
	return uintptr(some(atomic.LoadUint64(&b[0])) + some(atomic.LoadUint64(&b[1])) + some(atomic.LoadUint64(&b[2])) + some(atomic.LoadUint64(&b[3])) + some(atomic.LoadUint64(&b[4])))
}

// held is where a fingerprint is in the bucket at hand; the number of places if nowhere.
func (s *Set) held(l *Lookup) uintptr {
	b, a := l.bucket, l.A
	if s.wide {
		for i := uintptr(0); i < s.per; i++ {
			if word := s.word(b, i); atomic.LoadUint64(word) == a && written(second(word)) == l.B {
				return i
			}
		}
		return s.per
	}
	x0, x1, x2, x3, x4 := some(atomic.LoadUint64(&b[0])^a), some(atomic.LoadUint64(&b[1])^a), some(atomic.LoadUint64(&b[2])^a), some(atomic.LoadUint64(&b[3])^a), some(atomic.LoadUint64(&b[4])^a)
	return uintptr(x0 + x0&x1 + x0&x1&x2 + x0&x1&x2&x3 + x0&x1&x2&x3&x4)
}

// some is 0 of 0, and 1 of any other word.
func some(x uint64) uint64 { return (x | -x) >> 63 }

// written waits for the other half of a fingerprint that another worker is writing.
func written(word *uint64) uint64 {
	for {
		if b := atomic.LoadUint64(word); b != 0 {
			return b
		}
	}
}

// Find returns the note of a fingerprint that is there, or nil.
func (s *Set) Find(p fingerprint.Print) *uint32 {
	for n := range uint32(tries * spread) {
		b := s.bucket(p.A, n)
		for i := uintptr(0); i < s.per; i++ {
			word := s.word(b, i)
			switch {
			case *word == p.A && (!s.wide || *second(word) == p.B):
				return s.noteAt(b, i)
			case *word == 0:
				return nil
			}
		}
	}
	return s.findAside(p)
}
