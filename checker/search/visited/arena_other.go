//go:build !linux

package visited

// An arena is memory that grows.
type arena struct{ words []uint64 }

func newArena(words int) *arena { return &arena{make([]uint64, words)} }

// resize makes the arena longer, or shorter; what it held stays as far as it goes, and the rest is
// zero.
func (a *arena) resize(words int) {
	a.words = append(make([]uint64, 0, words), a.words[:min(words, len(a.words))]...)[:words]
}

// close gives the memory back. The arena must not be used any more.
func (a *arena) close() { a.words = nil }
