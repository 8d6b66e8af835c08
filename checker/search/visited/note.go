package visited

import (
	"sync/atomic"

	"contend/checker/search/fingerprint"
)

// The note of a state names its parent by the first 31 bits of the parent's
// fingerprint: enough to find it, and the same however many workers there are. In an
// exact search its last bit says that the state was met in the present layer, and of
// the parents in the layer before the least by that name is kept, whichever came first.

// Tag is the name of a state among parents.
func Tag(a uint64) uint32 { return max(uint32(a>>33), 1) }

// LeastParent notes one of the parents of a state.
func LeastParent(note *uint32, tag uint32) {
	mine := tag<<1 | 1
	for {
		old := atomic.LoadUint32(note)
		if old != 0 && (old&1 == 0 || old <= mine) || atomic.CompareAndSwapUint32(note, old, mine) {
			return
		}
	}
}

// Settle says that a state's layer is complete.
func Settle(note *uint32) { atomic.StoreUint32(note, atomic.LoadUint32(note)&^1) }

// firstTagged is the least first half of a fingerprint that goes by a name.
func firstTagged(tag uint32) uint64 {
	if tag == 1 {
		return 0 // it stands for 0 as well
	}
	return uint64(tag) << 33
}

// tagged returns the fingerprints of the table that go by a name.
func (s *Set) tagged(tag uint32) []fingerprint.Print {
	first := firstTagged(tag)
	from, to := s.group(first), s.group(uint64(tag)<<33|1<<33-1)+spread
	var out []fingerprint.Print
	for at := from * groupSize; at < to*groupSize; at++ {
		for i := uintptr(0); i < s.per; i++ {
			word := s.word(s.bucketAt(at), i)
			p := fingerprint.Print{A: *word}
			if s.wide {
				p.B = *second(word)
			}
			if p.A != 0 && Tag(p.A) == tag {
				out = append(out, p)
			}
		}
	}
	return out
}
