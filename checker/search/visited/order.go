package visited

import (
	"slices"

	"contend/checker/search/fingerprint"
)

// noPrint is before every fingerprint.
var noPrint fingerprint.Print

// An Entry is a fingerprint with its note, out of the table.
type Entry struct {
	fingerprint.Print
	Note uint32
}

func (s *Set) entry(b *bucket, i uintptr) Entry {
	word := s.word(b, i)
	e := Entry{fingerprint.Print{A: *word}, *s.noteAt(b, i)}
	if s.wide {
		e.B = *second(word)
	}
	return e
}

// Sorted hands on the entries of the table in order. One whose group is g is in this
// group or in one of the few behind it.
func (s *Set) Sorted(yield func(Entry) bool) {
	var waiting [spread][]Entry // by group
	standing := s.standing()
	last := s.groups + spread
	for g := uint64(0); g < last+spread; g++ {
		if g >= spread {
			due := &waiting[g%spread]
			slices.SortFunc(*due, func(a, b Entry) int { return fingerprint.Compare(a.Print, b.Print) })
			for _, e := range *due {
				if !yield(e) {
					return
				}
			}
			*due = (*due)[:0]
		}
		if g >= last {
			continue
		}
		for len(standing) > 0 && s.group(standing[0].A) == g {
			waiting[g%spread] = append(waiting[g%spread], standing[0])
			standing = standing[1:]
		}
		for at := g * groupSize; at < (g+1)*groupSize; at++ {
			b := s.bucketAt(at)
			for i := range s.taken(b) {
				e := s.entry(b, i)
				home := &waiting[s.group(e.A)%spread]
				*home = append(*home, e)
			}
		}
	}
}

// reserve makes an empty table large enough for n fingerprints, also where it may hold fewer: then it is written out
// at the next insertion.
func (s *Set) reserve(n int64) {
	for s.capacity() < n {
		s.groups = s.more()
	}
	s.setLimit()
	s.arena.Resize(s.size())
	s.words = s.arena.Words
	s.allocated.Store(int64(s.size()) * 8)
}

// load puts an entry that is not there into the table, for which room is reserved. Nobody
// inserts meanwhile.
func (s *Set) load(e Entry) {
	s.put(&e)
	s.used.Add(1)
	s.spoken.Add(1)
}
