package visited

import (
	"sync/atomic"

	"contend/checker/search/fingerprint"
)

// The note of a state has the tag of its parent: the first 31 bits of the parent's fingerprint. They suffice to find the
// parent, and do not depend on the number of workers. In an exact search the last bit of the note means that the state
// was met in the present layer. Of its parents in the layer before, the one with the least tag is noted.

// Tag returns the tag of a state, from the first half of its fingerprint.
func Tag(a uint64) uint32 { return max(uint32(a>>33), 1) }

// LeastParent notes a parent of a state, unless the note has a lesser one.
func LeastParent(note *uint32, tag uint32) {
	mine := tag<<1 | 1
	for {
		old := atomic.LoadUint32(note)
		if old != 0 && (old&1 == 0 || old <= mine) || atomic.CompareAndSwapUint32(note, old, mine) {
			return
		}
	}
}

// A parent combines all notes of a state. If the table was written to a file and emptied in the layer in which the
// state was met, the parents before and after this are noted separately. Notes of later layers, in which the state
// was met again, do not count.
type parent struct {
	note  uint32
	known bool
	layer int
	open  bool // the first note was written out in the state's own layer
}

// add adds a note that was written in a layer, the earliest first. A settled note is of the state's own layer.
func (p *parent) add(note uint32, layer int) {
	switch {
	case !p.known:
		*p = parent{note &^ 1, true, layer, note&1 == 1}
	case note&1 == 0 || p.open && layer == p.layer:
		p.note = min(p.note, note&^1)
	}
}

// inTable is the layer of a note in the table.
const inTable = -1

// Settle marks the note of a state of a complete layer.
func Settle(note *uint32) { atomic.StoreUint32(note, atomic.LoadUint32(note)&^1) }

// firstTagged returns the least first half of the fingerprints with a tag.
func firstTagged(tag uint32) uint64 {
	if tag == 1 {
		return 0 // it stands for 0 as well
	}
	return uint64(tag) << 33
}

// tagged returns the fingerprints of the table with a tag.
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
