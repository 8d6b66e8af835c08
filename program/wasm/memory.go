package wasm

import (
	"slices"

	"github.com/tetratelabs/wazero/api"
)

// To go back to a snapshot costs a copy of the pages that are not zero. To map them privately from a file in memory looks cheaper, but
// then each page that is touched afterwards costs a fault, which takes as long as the copy of several pages; on machines that
// are themselves simulated, as long as that of many. So a memory is mapped once, and pages are copied. An image shares with
// the one before it the pages that are equal.

// osPage is the size of the pages in which memories are looked at.
const osPage = 4096

type page = [osPage]byte

// An Image is a memory as it was. Nothing changes it.
type Image struct {
	size  uint64
	pages []int32 // those that are not zero, in order
	data  []*page
	own   int // how many of these it shares with no image that is older
}

// At returns a page of the memory.
func (l *Memory) At(p int32) *page { return (*page)(l.b[int(p)*osPage:]) }

// Image keeps what is in memory.
func (l *Memory) Image() *Image {
	i := &Image{size: l.size}
	var changed []int32 // places in i.data
	old := 0
	for p := range l.Filled() {
		now := l.At(p)
		if l.base != nil {
			for old < len(l.base.pages) && l.base.pages[old] < p {
				old++
			}
		}
		i.pages = append(i.pages, p)
		if l.base != nil && old < len(l.base.pages) && l.base.pages[old] == p && *l.base.data[old] == *now {
			i.data = append(i.data, l.base.data[old])
			continue
		}
		changed = append(changed, int32(len(i.data)))
		i.data = append(i.data, nil)
	}
	room := make([]page, len(changed))
	for k, at := range changed {
		room[k] = *l.At(i.pages[at])
		i.data[at] = &room[k]
	}
	i.own = len(changed)
	i.pages, i.data = slices.Clip(i.pages), slices.Clip(i.data)
	l.base = i
	return i
}

// sized is the size that a reallocation leads to when it is asked for another.
func (l *Memory) sized(asked uint64) uint64 {
	if l.next == 0 {
		return asked
	}
	asked, l.next = l.next, 0
	return asked
}

// slack is how far behind the end of an image memory is cleared rather than given back, in bytes: most runs take up more than they began
// with, and what was given back costs a fault a page when it is taken up again.
const slack = 16 << 20

// Restore brings memory into the state of the image. A memory of wazero only grows, but takes the length that the reallocation returns, so
// that it is asked to grow, and becomes as long as the image. Else it would become longer with each restored run that takes up memory.
func (l *Memory) Restore(i *Image, memory api.Memory) {
	l.trim(i.size + slack)
	next := 0
	for _, p := range l.present() {
		for next < len(i.pages) && i.pages[next] < p {
			*l.At(i.pages[next]) = *i.data[next]
			next++
		}
		if next < len(i.pages) && i.pages[next] == p {
			*l.At(p) = *i.data[next]
			next++
		} else {
			clear(l.At(p)[:])
		}
	}
	l.next = i.size
	if _, ok := memory.Grow(1); !ok {
		panic("program: the memory of an instance cannot be restored")
	}
	for ; next < len(i.pages); next++ {
		*l.At(i.pages[next]) = *i.data[next]
	}
	l.base = i
}

// Len returns how many bytes the image takes up that no older one does.
func (i *Image) Len() int { return i.own * osPage }

// Len returns about how many bytes the memory takes up.
func (l *Memory) Len() int {
	if l.base != nil {
		return len(l.base.pages) * osPage
	}
	return int(l.size)
}

// Filled yields the pages that are not zero, in order.
func (l *Memory) Filled() func(yield func(p int32) bool) {
	return func(yield func(p int32) bool) {
		for _, p := range l.present() {
			if *l.At(p) != (page{}) && !yield(p) {
				return
			}
		}
	}
}
