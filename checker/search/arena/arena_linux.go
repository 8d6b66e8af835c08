// Package arena reserves memory that grows, and shrinks, where it is.
package arena

import (
	"syscall"
	"unsafe"
)

// An Arena is memory that grows where it is: room for far more words than are used
// is reserved, and the system provides what is touched.
type Arena struct {
	Words  []uint64 // until it is resized or closed
	mapped []byte
	huge   bool
}

// reserved are the sizes, in bytes, that are tried in turn.
var reserved = []int{1 << 40, 1 << 37, 1 << 34}

// New makes an arena of so many words, which are zero. Where nothing can be reserved it is memory like any other.
func New(words int) *Arena {
	for _, size := range reserved {
		mapped, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
		if err == nil {
			a := &Arena{mapped: mapped}
			a.Resize(words)
			return a
		}
	}
	return &Arena{Words: make([]uint64, words)}
}

// hugePages is the size, in bytes, from which an arena asks for huge pages, and for all
// that it may grow into: a page in which a small one was touched stays small.
const hugePages = 1 << 20

// pageSize is that of the system, in bytes: 64 kB on some.
var pageSize = syscall.Getpagesize()

// Resize makes the arena longer, or shorter; what it held stays as far as it goes, and the rest is
// zero.
func (a *Arena) Resize(words int) {
	if a.mapped == nil {
		a.Words = append(make([]uint64, 0, words), a.Words[:min(words, len(a.Words))]...)[:words]
		return
	}
	if words*8 >= hugePages && !a.huge {
		a.huge = true
		_ = syscall.Madvise(a.mapped, syscall.MADV_HUGEPAGE) // advice; nothing depends on it
	}
	if words < len(a.Words) {
		pages := min((words*8+pageSize-1)/pageSize*pageSize, len(a.Words)*8)
		clear(a.Words[words : pages/8])                                            // the rest of a page that is kept
		_ = syscall.Madvise(a.mapped[pages:len(a.Words)*8], syscall.MADV_DONTNEED) // given back, and zero if it is used again
	}
	a.Words = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(a.mapped))), words)
}

// Close gives the memory back. The arena must not be used any more.
func (a *Arena) Close() {
	if a.mapped != nil {
		_ = syscall.Munmap(a.mapped)
	}
	a.mapped, a.Words = nil, nil
}
