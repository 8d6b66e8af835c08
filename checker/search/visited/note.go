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

// A parent is the note of a state, of all that were made of it. When the table is written
// out and emptied amid the layer in which the state was met, the parents that came before
// and those that came after are noted apart; notes of later layers, in which the state was
// met again, say nothing.
type parent struct {
	note  uint32
	known bool
	layer int
	open  bool // the first note was written out in the state's own layer
}

// add adds a note that was written out in a layer, the earliest first. One that was settled
// is of the state's own layer.
func (p *parent) add(note uint32, layer int) {
	switch {
	case !p.known:
		*p = parent{note &^ 1, true, layer, note&1 == 1}
	case note&1 == 0 || p.open && layer == p.layer:
		p.note = min(p.note, note&^1)
	}
}

// inTable is the layer of a note that is not written out.
const inTable = -1

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
	for _, e := range s.standing() {
		if Tag(e.A) == tag {
			out = append(out, e.Print)
		}
	}
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
