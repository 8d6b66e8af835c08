package visited

import (
	"sync/atomic"

	"contend/checker/search/fingerprint"
)

// A Lookup is the state of a fingerprint's lookup.
type Lookup struct {
	fingerprint.Print
	bucket *bucket // the bucket at hand, and at the end the fingerprint's
	i      uint8   // the index in the bucket
	Fresh  bool    // the fingerprint is new
	tried  uint16
	From   uint32 // for the caller: the tag of the parent
	End    uint32 // for the caller: the end of the state's vector
}

// Begin starts the lookup of a fingerprint as stored.
func (l *Lookup) Begin(p fingerprint.Print, from, end uint32) {
	l.Print, l.From, l.End = p, from, end
	l.tried, l.Fresh = 0, false
}

// Note returns the note of an inserted fingerprint. Access must be atomic.
func (s *Set) Note(l *Lookup) *uint32 { return s.noteAt(l.bucket, uintptr(l.i)) }

// InsertAll inserts the fingerprints that are new. The caller has called Room, and so holds the lock for reading.
// Before any lookup reads its next bucket, all prefetch theirs, so that the waits for memory overlap.
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

// goOn moves a lookup to its next bucket.
func (s *Set) goOn(l *Lookup) {
	l.bucket = s.bucket(l.A, uint32(l.tried))
	l.tried++
	prefetch(l.bucket)
}

// into finds a fingerprint in the bucket at hand, or inserts it there. It returns false if the bucket is full.
// Other workers may insert after it counted the taken places; it compares these one by one.
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

// occupy takes one of the places from i on.
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

// taken returns the number of taken places of a bucket. They are the first ones. It has no branches, since none
// could be predicted.
func (s *Set) taken(b *bucket) uintptr {
	if s.wide {
		return uintptr(some(atomic.LoadUint64(&b[0])) + some(atomic.LoadUint64(&b[2])) + some(atomic.LoadUint64(&b[4])))
	}
	return uintptr(some(atomic.LoadUint64(&b[0])) + some(atomic.LoadUint64(&b[1])) + some(atomic.LoadUint64(&b[2])) + some(atomic.LoadUint64(&b[3])) + some(atomic.LoadUint64(&b[4])))
}

// held returns the place of a fingerprint in the bucket at hand; the number of places if it is not there.
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

// some returns 0 for 0, and 1 for any other word.
func some(x uint64) uint64 { return (x | -x) >> 63 }

// written waits until another worker has written the second half of a fingerprint.
func written(word *uint64) uint64 {
	for {
		if b := atomic.LoadUint64(word); b != 0 {
			return b
		}
	}
}

// Find returns the note of a fingerprint in the table; nil if it is not there.
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
