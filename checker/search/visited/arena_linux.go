package visited

import (
	"syscall"
	"unsafe"
)

// An arena is memory that grows where it is: room for far more words than are used
// is reserved, and the system provides what is touched.
type arena struct {
	mapped []byte
	huge   bool
	words  []uint64
}

// reserved are the sizes, in bytes, that are tried in turn.
var reserved = []int{1 << 40, 1 << 37, 1 << 34}

func newArena(words int) *arena {
	for _, size := range reserved {
		mapped, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
		if err == nil {
			a := &arena{mapped: mapped}
			a.resize(words)
			return a
		}
	}
	return &arena{words: make([]uint64, words)}
}

// hugePages is the size, in bytes, from which an arena asks for huge pages, and for all
// that it may grow into: a page in which a small one was touched stays small.
const hugePages = 1 << 20

// pageSize is that of the system, in bytes; sizes of arenas are multiples of it.
var pageSize = syscall.Getpagesize()

// resize makes the arena longer, or shorter; what it held stays as far as it goes, and the rest is
// zero.
func (a *arena) resize(words int) {
	if a.mapped == nil {
		a.words = append(make([]uint64, 0, words), a.words[:min(words, len(a.words))]...)[:words]
		return
	}
	if words*8 >= hugePages && !a.huge {
		a.huge = true
		_ = syscall.Madvise(a.mapped, syscall.MADV_HUGEPAGE) // advice; nothing depends on it
	}
	if words < len(a.words) {
		_ = syscall.Madvise(a.mapped[(words*8+pageSize-1)/pageSize*pageSize:len(a.words)*8], syscall.MADV_DONTNEED) // given back, and zero if it is used again
	}
	a.words = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(a.mapped))), words)
}

// close gives the memory back. The arena must not be used any more.
func (a *arena) close() {
	if a.mapped != nil {
		_ = syscall.Munmap(a.mapped)
	}
	a.mapped, a.words = nil, nil
}
