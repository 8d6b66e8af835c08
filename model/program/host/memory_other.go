//go:build !linux

package host

import "slices"

// A linear is the memory of an instance.
type linear struct{ b []byte }

// An image is a memory as it was, without the zeros at its end.
type image struct {
	b    []byte
	size uint64
}

func newLinear() (*linear, error) { return &linear{}, nil }

// Reallocate implements [experimental.LinearMemory].
func (l *linear) Reallocate(size uint64) []byte {
	if size > MostMemory {
		return nil
	}
	if grow := int(size) - len(l.b); grow > 0 {
		l.b = append(l.b, make([]byte, grow)...)
	}
	return l.b[:size:size]
}

// Free implements [experimental.LinearMemory].
func (l *linear) Free() { l.b = nil }

func (l *linear) image() *image {
	end := 0
	for _, to := range l.runs() {
		end = to
	}
	return &image{slices.Clone(l.b[:end*osPage]), uint64(len(l.b))}
}

func (l *linear) restore(i *image) { clear(l.b[copy(l.b, i.b):]) }

func (i *image) len() int { return len(i.b) }

func (l *linear) len() int { return len(l.b) }

// runs yields the pages that are not zero, as runs from a page up to another.
func (l *linear) runs() func(yield func(from, to int) bool) {
	zero := func(p int) bool { return *(*[osPage]byte)(l.b[p*osPage:]) == [osPage]byte{} }
	return func(yield func(from, to int) bool) {
		for p, n := 0, len(l.b)/osPage; p < n; p++ {
			from := p
			for p < n && !zero(p) {
				p++
			}
			if p > from && !yield(from, p) {
				return
			}
		}
	}
}
