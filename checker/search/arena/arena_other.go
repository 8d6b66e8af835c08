//go:build !linux

// Package arena provides memory that grows and shrinks.
package arena

// An Arena is a slice of words that grows.
type Arena struct{ Words []uint64 }

// New returns an arena with a number of zero words.
func New(words int) *Arena { return &Arena{make([]uint64, words)} }

// Resize changes the number of words. Words up to the smaller length are preserved; new words are zero.
func (a *Arena) Resize(words int) {
	a.Words = append(make([]uint64, 0, words), a.Words[:min(words, len(a.Words))]...)[:words]
}

// Close releases the memory. The arena must not be used afterwards.
func (a *Arena) Close() { a.Words = nil }
