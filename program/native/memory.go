//go:build linux && amd64

package native

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"syscall"
	"unsafe"
)

// pages are pages beside each other, as the kernel has them.
type pages struct{ from, to, is uint64 }

// pagemap is open for the ioctl PAGEMAP_SCAN of Linux 6.7.
var pagemap = sync.OnceValues(func() (*os.File, error) {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil, fmt.Errorf("native: %w", err)
	}
	var one [2]pages
	if _, e := scan(f, bytesAt(uintptr(unsafe.Pointer(&one))&^(pageSize-1), pageSize), one[:]); e != 0 {
		return nil, fmt.Errorf("native: the kernel does not tell which pages are written, as Linux does since 6.7: %w", e)
	}
	return f, nil
})

// scan finds the pages of a range that were written: those that are there, but for the page of zeros that a read leaves.
func scan(f *os.File, part []byte, found []pages) (int, syscall.Errno) {
	const pagemapScan, present, swapped, onlyRead = 0xc0606610, 1 << 3, 1 << 4, 1 << 5
	arg := struct {
		size, flags, from, to, walked, found, room, most, inverted, all, any, tells uint64
	}{size: 96, from: uint64(addressOf(part)), to: uint64(addressOf(part)) + uint64(len(part)), found: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(found)))),
		room: uint64(len(found)), inverted: onlyRead, all: onlyRead, any: present | swapped, tells: present}
	n, _, e := syscall.RawSyscall(syscall.SYS_IOCTL, f.Fd(), pagemapScan, uintptr(unsafe.Pointer(&arg)))
	if e == 0 && int(n) == len(found) { // there may be more: walked says so only if there is no other reason for it
		e = syscall.E2BIG
	}
	return int(n), e
}

// present returns the pages of the place that were ever written, in order, merged.
func (p *place) present() []pages {
	f, _ := pagemap() // it was opened when the place was made
	if p.found == nil {
		p.found = make([]pages, 4096)
	}
	n := 0
	for _, part := range p.parts {
		for {
			more, e := scan(f, part, p.found[n:])
			if e == syscall.E2BIG {
				p.found = append(p.found, make([]pages, len(p.found))...)
				continue
			}
			if e != 0 {
				panic(fmt.Sprint("native: PAGEMAP_SCAN: ", e))
			}
			n += more
			break
		}
	}
	return p.found[:n]
}

// An image is the memory of a place: the pages that are not zero, in the order in which the place has them. Images share pages that are alike.
type image struct {
	at    []uintptr
	pages []*[pageSize]byte
	own   int // of the pages, those that it does not share
}

var zero [pageSize]byte

// keep makes an image. before, unless nil, is the one that the place was restored from.
func (p *place) keep(before *image) *image {
	m, k := &image{}, 0
	if before != nil {
		m.at, m.pages = make([]uintptr, 0, len(before.at)+64), make([]*[pageSize]byte, 0, len(before.at)+64)
	}
	var room [][pageSize]byte
	for _, r := range p.present() {
		for at := uintptr(r.from); at < uintptr(r.to); at += pageSize {
			is := pageAt(at)
			if before != nil {
				// Both are in the same order, but a page of the image that the place does not have any more has been given back.
				for k < len(before.at) && before.at[k] < at {
					k++
				}
				if k < len(before.at) && before.at[k] == at && *is == *before.pages[k] {
					m.at, m.pages = append(m.at, at), append(m.pages, before.pages[k])
					continue
				}
			}
			if bytes.Equal(is[:], zero[:]) {
				continue
			}
			if len(room) == 0 {
				room = make([][pageSize]byte, 32)
			}
			room[0] = *is
			m.at, m.pages = append(m.at, at), append(m.pages, &room[0])
			room = room[1:]
			m.own++
		}
	}
	return m
}

// restore brings the memory back. Pages that the image does not have become zero.
func (p *place) restore(m *image) {
	k := 0
	many := p.present()
	for _, r := range many {
		for at := uintptr(r.from); at < uintptr(r.to); at += pageSize {
			for k < len(m.at) && m.at[k] < at {
				*pageAt(m.at[k]) = *m.pages[k]
				k++
			}
			if k < len(m.at) && m.at[k] == at {
				*pageAt(at) = *m.pages[k]
				k++
			} else {
				*pageAt(at) = zero
			}
		}
	}
	for ; k < len(m.at); k++ {
		*pageAt(m.at[k]) = *m.pages[k]
	}
}

// crowded is how many pages a place may have more than an image, before they are given back to the kernel: clearing them would cost more.
const crowded = 4096

// shed gives pages back to the kernel if there are far more than an image has.
func (p *place) shed(m *image) {
	n := 0
	for _, r := range p.present() {
		n += int(r.to-r.from) / pageSize
	}
	if n > len(m.at)+crowded {
		_ = syscall.Madvise(p.region, syscall.MADV_DONTNEED)
	}
}
