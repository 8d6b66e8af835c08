package wasm

import (
	"encoding/binary"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Memory is the memory of an instance. On Linux it is a mapping of the maximum size, so that it never moves, and
// the kernel reports which pages were touched.
type Memory struct {
	b       []byte
	size    uint64
	most    uint64
	next    uint64 // unless 0, the size that the next reallocation is to lead to
	base    *Image // that it was last equal to
	entries []byte
	touched []int32
}

// New makes the memory of an instance that may take so many bytes.
func New(most uint64) (*Memory, error) {
	b, err := unix.Mmap(-1, 0, int(most), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("program: no memory can be mapped: %w", err)
	}
	return &Memory{b: b, most: most}, nil
}

// Reallocate implements [experimental.LinearMemory].
func (l *Memory) Reallocate(size uint64) []byte {
	if size = l.sized(size); size > l.most {
		return nil
	}
	l.size = size
	return l.b[:size:size]
}

// Free implements [experimental.LinearMemory].
func (l *Memory) Free() {
	must("munmap", unix.Munmap(l.b))
	l.base = nil
}

// trim releases the memory behind a size: it reads as zeros.
func (l *Memory) trim(size uint64) {
	if l.size > size {
		must("madvise", unix.Madvise(l.b[size:l.size], unix.MADV_DONTNEED))
		l.size = size
	}
}

var pagemap = func() *os.File {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	return f
}()

// present returns the pages that may be other than zero: in memory, or swapped out. Without the kernel's list it
// returns all. The result is valid until the next call.
func (l *Memory) present() []int32 {
	n := int(l.size / osPage)
	if len(l.entries) < 8*n {
		l.entries = make([]byte, 8*n)
	}
	entries := l.entries[:8*n]
	l.touched = l.touched[:0]
	first := uintptr(unsafe.Pointer(&l.b[0])) / osPage
	listed := false
	if pagemap != nil {
		_, err := pagemap.ReadAt(entries, int64(8*first))
		listed = err == nil
	}
	for p := range n {
		const in, swapped = 1 << 63, 1 << 62
		if !listed || binary.LittleEndian.Uint64(entries[8*p:])&(in|swapped) != 0 {
			l.touched = append(l.touched, int32(p))
		}
	}
	return l.touched
}

func must(what string, err error) {
	if err != nil {
		panic(fmt.Sprintf("program: the memory of an instance: %s: %v", what, err))
	}
}
