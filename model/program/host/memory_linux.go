package host

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// On Linux the memory of an instance is a mapping that shares with a snapshot what it has not written since. An image is a file in
// memory, mapped privately: to restore one costs nothing for pages that are not touched.

// A linear is the memory of an instance.
type linear struct {
	b    []byte // as much as it may ever have
	size uint64
	base *image // nil: zeros
}

// An image is a memory as it was.
type image struct {
	file  *os.File // closed when nobody has the image any more
	size  uint64
	pages []uint32 // those that are not zero, in order
}

func newLinear() (*linear, error) {
	b, err := unix.Mmap(-1, 0, MostMemory, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("program: no memory can be mapped: %w", err)
	}
	return &linear{b: b}, nil
}

// Reallocate implements [experimental.LinearMemory].
func (l *linear) Reallocate(size uint64) []byte {
	if size > MostMemory {
		return nil
	}
	l.size = size
	return l.b[:size:size]
}

// Free implements [experimental.LinearMemory].
func (l *linear) Free() {
	must("munmap", unix.Munmap(l.b))
	l.base = nil
}

// image keeps what is in memory.
func (l *linear) image() *image {
	fd, err := unix.MemfdCreate("contend", unix.MFD_CLOEXEC)
	must("memfd_create", err)
	i := &image{file: os.NewFile(uintptr(fd), "memory"), size: l.size}
	must("ftruncate", unix.Ftruncate(fd, int64(l.size)))
	for from, to := range l.runs() {
		_, err := i.file.WriteAt(l.b[from*osPage:to*osPage], int64(from)*osPage)
		must("write", err)
		for p := from; p < to; p++ {
			i.pages = append(i.pages, uint32(p))
		}
	}
	return i
}

// restore brings memory into the state of an image.
func (l *linear) restore(i *image) {
	if l.base == i {
		must("madvise", unix.Madvise(l.b[:i.size], unix.MADV_DONTNEED))
	} else {
		_, err := unix.MmapPtr(int(i.file.Fd()), 0, unsafe.Pointer(&l.b[0]), uintptr(i.size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED)
		must("mmap", err)
	}
	switch {
	case l.base != nil && l.base.size > i.size: // the end of the old mapping
		_, err := unix.MmapPtr(-1, 0, unsafe.Pointer(&l.b[i.size]), uintptr(l.base.size-i.size), unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_PRIVATE|unix.MAP_FIXED|unix.MAP_ANON|unix.MAP_NORESERVE)
		must("mmap", err)
		fallthrough
	case l.size > i.size:
		must("madvise", unix.Madvise(l.b[i.size:max(l.size, i.size)], unix.MADV_DONTNEED))
	}
	l.base = i
	runtime.KeepAlive(i)
}

// len is how many bytes the image takes up.
func (i *image) len() int { return len(i.pages) * osPage }

// len is about how much of the memory is not shared.
func (l *linear) len() int {
	if l.base != nil {
		return l.base.len()
	}
	return int(l.size)
}

// runs yields the pages that are not zero, as runs from a page up to another.
func (l *linear) runs() func(yield func(from, to int) bool) {
	pages := l.written()
	if l.base != nil {
		pages = append(pages, l.base.pages...)
		slices.Sort(pages)
		pages = slices.Compact(pages)
	}
	pages = slices.DeleteFunc(pages, func(p uint32) bool { return *(*[osPage]byte)(l.b[int(p)*osPage:]) == [osPage]byte{} })
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(pages); {
			j := i + 1
			for j < len(pages) && pages[j] == pages[j-1]+1 {
				j++
			}
			if !yield(int(pages[i]), int(pages[j-1])+1) {
				return
			}
			i = j
		}
	}
}

var pagemap = func() *os.File {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	return f
}()

// written lists the pages that were written since the memory was restored: those that are present and of no file, or swapped out. Without
// the kernel's list it is all of them.
func (l *linear) written() (pages []uint32) {
	n := int(l.size / osPage)
	entries := make([]byte, 8*n)
	first := uintptr(unsafe.Pointer(&l.b[0])) / osPage
	if pagemap != nil {
		if _, err := pagemap.ReadAt(entries, int64(8*first)); err == nil {
			const present, swapped, shared = 1 << 63, 1 << 62, 1 << 61
			for p := range n {
				if e := binary.LittleEndian.Uint64(entries[8*p:]); e&swapped != 0 || e&present != 0 && e&shared == 0 {
					pages = append(pages, uint32(p))
				}
			}
			return pages
		}
	}
	for p := range n {
		pages = append(pages, uint32(p))
	}
	return pages
}

func must(what string, err error) {
	if err != nil {
		panic(fmt.Sprintf("program: the memory of an instance: %s: %v", what, err))
	}
}
