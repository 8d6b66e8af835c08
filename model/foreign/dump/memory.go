package dump

import (
	"cmp"
	"slices"
	"unsafe"
)

// Slices may share an array, and a pointer may point into the target of another pointer. Then a write through
// the first is visible through the second. A dump therefore records the memory of each pointer and each
// slice, up to its capacity. It ends with the regions that overlap other regions. Each of these has a number
// in the order of visits, an offset from the start of its group of overlapping regions, and a size. None of
// these depends on an address.
//
// Other regions are not encoded, so the capacity of a slice matters only if its array is shared. Empty
// regions have numbers, too, since otherwise numbers would depend on the capacity of empty slices. Numbers,
// offsets and sizes determine the layout completely. Sorting n regions costs n log n.

// A region is the memory of a pointer's target or of a slice.
type region struct {
	addr uintptr
	size uintptr
}

// An overlap is a region that shares memory with another.
type overlap struct {
	number int     // of the region
	group  int     // the number of the first region of its group
	offset uintptr // from the start of its group
	size   uintptr
}

// memoryOf returns the region of n elements.
func memoryOf(at unsafe.Pointer, n int, size uintptr) region {
	return region{uintptr(at), uintptr(n) * size}
}

// overlaps returns the regions that overlap others, in the order of their numbers. Order is a buffer.
func overlaps(all []region, order []int32) (found []overlap, used []int32) {
	order = order[:0]
	for i, r := range all {
		if r.size > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(all[i].addr, all[j].addr) })
	for i := 0; i < len(order); {
		begin := all[order[i]].addr
		end := begin + all[order[i]].size
		to := i + 1
		for ; to < len(order) && all[order[to]].addr < end; to++ {
			end = max(end, all[order[to]].addr+all[order[to]].size)
		}
		if to > i+1 {
			group := int(slices.Min(order[i:to]))
			for _, n := range order[i:to] {
				found = append(found, overlap{int(n), group, all[n].addr - begin, all[n].size})
			}
		}
		i = to
	}
	slices.SortFunc(found, func(a, b overlap) int { return cmp.Compare(a.number, b.number) })
	return found, order
}
