package wasm

import (
	"slices"

	"github.com/tetratelabs/wazero/api"
)

// To go back to a snapshot costs a copy of the pages that are not zero. To map them privately from a file in memory looks cheaper, but
// then each page that is touched afterwards costs a fault, which takes as long as the copy of several pages; on machines that
// are themselves simulated, as long as that of many. So a memory is mapped once, and pages are copied. An image shares with
// the one before it the pages that are equal.

// osPage is the page size for the comparison of memories.
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

// Image stores the content of the memory.
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

// sized returns the size to which a reallocation leads.
func (l *Memory) sized(asked uint64) uint64 {
	if l.next == 0 {
		return asked
	}
	asked, l.next = l.next, 0
	return asked
}

// slack is the number of bytes behind an image that are cleared and not released. Most runs use more memory than
// at their start, and released memory costs a page fault when it is used again.
const slack = 16 << 20

// Restore restores the memory from an image. A wazero memory only grows, but takes the length that the
// reallocation returns. So Restore asks it to grow, and it becomes as long as the image. Otherwise it would become
// longer with each restored run that allocates.
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
