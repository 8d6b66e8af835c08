//go:build !linux

package host

// A linear is the memory of an instance.
type linear struct {
	b       []byte
	size    uint64
	next    uint64 // unless 0, the size that the next reallocation is to lead to
	base    *image // that it was last equal to
	touched []int32
}

func newLinear() (*linear, error) { return &linear{}, nil }

// Reallocate implements [experimental.LinearMemory].
func (l *linear) Reallocate(size uint64) []byte {
	if size = l.sized(size); size > MostMemory {
		return nil
	}
	if grow := int(size) - len(l.b); grow > 0 {
		l.b = append(l.b, make([]byte, grow)...)
	}
	l.size = size
	return l.b[:size:size]
}

// Free implements [experimental.LinearMemory].
func (l *linear) Free() { l.b, l.base = nil, nil }

// trim clears what is behind a size.
func (l *linear) trim(size uint64) {
	if l.size > size {
		clear(l.b[size:l.size])
		l.size = size
	}
}

// present lists the pages that may be other than zero: all of them.
func (l *linear) present() []int32 {
	for p := len(l.touched); p < int(l.size/osPage); p++ {
		l.touched = append(l.touched, int32(p))
	}
	return l.touched[:l.size/osPage]
}
