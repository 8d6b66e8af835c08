package dump

import (
	"cmp"
	"slices"
	"unsafe"
)

// Two slices may have one array, and a pointer may lead into the middle of what another leads to. What is
// written by the one is then read by the other. So a dump notes the memory that each pointer and each slice
// leads to, a slice up to its capacity, and ends with the regions that overlap: each by its number, which is
// its place in the order in which they were met, with its offset from where its group of overlapping regions
// begins, and its size. Neither depends on an address. Regions that overlap no other are not written, so that
// the capacity of a slice counts only where its array is shared. Empty regions overlap no other, but have numbers:
// else the number of a region would depend on the capacity of an empty slice before it. That is all there is to know of overlaps:
// from numbers, offsets and sizes the memory can be laid out again. Sorting makes it n log n for n regions.

// A region is memory that a pointer or a slice leads to.
type region struct {
	at   uintptr
	size uintptr
}

// An overlap is a region that has memory in common with another.
type overlap struct {
	number int     // of the region
	group  int     // the number of the first region of its group
	offset uintptr // from where its group begins
	size   uintptr
}

// memoryOf is the region of n elements.
func memoryOf(at unsafe.Pointer, n int, size uintptr) region {
	return region{uintptr(at), uintptr(n) * size}
}

// overlaps finds the regions that overlap others, in the order of their numbers. Order is memory to use.
func overlaps(all []region, order []int32) (found []overlap, used []int32) {
	order = order[:0]
	for i, r := range all {
		if r.size > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(all[i].at, all[j].at) })
	for i := 0; i < len(order); {
		begin := all[order[i]].at
		end := begin + all[order[i]].size
		to := i + 1
		for ; to < len(order) && all[order[to]].at < end; to++ {
			end = max(end, all[order[to]].at+all[order[to]].size)
		}
		if to > i+1 {
			group := int(slices.Min(order[i:to]))
			for _, n := range order[i:to] {
				found = append(found, overlap{int(n), group, all[n].at - begin, all[n].size})
			}
		}
		i = to
	}
	slices.SortFunc(found, func(a, b overlap) int { return cmp.Compare(a.number, b.number) })
	return found, order
}
