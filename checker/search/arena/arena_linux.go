// Package arena provides memory that grows and shrinks in place.
package arena

import (
	"syscall"
	"unsafe"
)

// An Arena is a slice of words that grows in place. It reserves far more address space than it uses; the system
// provides pages when they are touched.
type Arena struct {
	Words   []uint64 // valid until Resize or Close
	mapping []byte
	huge    bool
}

// reservations lists the sizes of the reservation, in bytes, in the order of attempts.
var reservations = []int{1 << 40, 1 << 37, 1 << 34}

// New returns an arena with a number of zero words. If no reservation succeeds, the arena uses ordinary memory.
func New(words int) *Arena { return reserve(words, reservations) }

// reserve returns an arena with the first of the sizes that the system reserves.
func reserve(words int, sizes []int) *Arena {
	for _, size := range sizes {
		mapped, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
		if err == nil {
			a := &Arena{mapping: mapped}
			a.Resize(words)
			return a
		}
	}
	return &Arena{Words: make([]uint64, words)}
}

// hugePages is the size, in bytes, from which an arena requests huge pages, for its whole reservation. A huge
// page whose small pages were touched before stays split.
const hugePages = 1 << 20

// pageSize is the system's page size in bytes.
var pageSize = syscall.Getpagesize()

// Resize changes the number of words. Words up to the smaller length are preserved; new words are zero.
func (a *Arena) Resize(words int) {
	if a.mapping == nil {
		a.Words = append(make([]uint64, 0, words), a.Words[:min(words, len(a.Words))]...)[:words]
		return
	}
	if words*8 >= hugePages && !a.huge {
		a.huge = true
		_ = syscall.Madvise(a.mapping, syscall.MADV_HUGEPAGE) // advice; nothing depends on it
	}
	if words < len(a.Words) {
		pages := min((words*8+pageSize-1)/pageSize*pageSize, len(a.Words)*8)
		clear(a.Words[words : pages/8])                                             // the rest of the last page
		_ = syscall.Madvise(a.mapping[pages:len(a.Words)*8], syscall.MADV_DONTNEED) // released; zero when touched again
	}
	a.Words = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(a.mapping))), words)
}

// Close releases the memory. The arena must not be used afterwards.
func (a *Arena) Close() {
	if a.mapping != nil {
		_ = syscall.Munmap(a.mapping)
	}
	a.mapping, a.Words = nil, nil
}
