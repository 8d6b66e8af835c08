//go:build !linux

package wasm

// A Memory is the memory of an instance.
type Memory struct {
	b       []byte
	size    uint64
	most    uint64
	next    uint64 // unless 0, the size that the next reallocation is to lead to
	base    *Image // that it was last equal to
	touched []int32
}

// New makes the memory of an instance that may take so many bytes.
func New(most uint64) (*Memory, error) { return &Memory{most: most}, nil }

// Reallocate implements [experimental.LinearMemory].
func (l *Memory) Reallocate(size uint64) []byte {
	if size = l.sized(size); size > l.most {
		return nil
	}
	if grow := int(size) - len(l.b); grow > 0 {
		l.b = append(l.b, make([]byte, grow)...)
	}
	l.size = size
	return l.b[:size:size]
}

// Free implements [experimental.LinearMemory].
func (l *Memory) Free() { l.b, l.base = nil, nil }

// trim clears the memory behind a size.
func (l *Memory) trim(size uint64) {
	if l.size > size {
		clear(l.b[size:l.size])
		l.size = size
	}
}

// present lists the pages that may be other than zero: all of them.
func (l *Memory) present() []int32 {
	for p := len(l.touched); p < int(l.size/osPage); p++ {
		l.touched = append(l.touched, int32(p))
	}
	return l.touched[:l.size/osPage]
}
