//go:build !linux

// Package arena has memory that grows.
package arena

// An Arena is memory that grows.
type Arena struct{ Words []uint64 }

// New makes an arena of so many words, which are zero.
func New(words int) *Arena { return &Arena{make([]uint64, words)} }

// Resize makes the arena longer, or shorter; what it held stays as far as it goes, and the rest is
// zero.
func (a *Arena) Resize(words int) {
	a.Words = append(make([]uint64, 0, words), a.Words[:min(words, len(a.Words))]...)[:words]
}

// Close gives the memory back. The arena must not be used any more.
func (a *Arena) Close() { a.Words = nil }
