package search

import (
	"unsafe"

	"github.com/zeebo/xxh3"
)

// visited is the set of states met so far, by 64-bit fingerprint, with each state's
// parent and its number among the parent's successors: enough to take the way to it
// again.
type visited struct {
	prints  []uint64 // open-addressed; 0: empty
	numbers []uint32
	parents []uint32
	ordinal []uint32
}

// root is the parent of first states.
const root = ^uint32(0)

func newVisited() *visited {
	return &visited{prints: make([]uint64, 1<<12), numbers: make([]uint32, 1<<12)}
}

func (s *visited) len() int { return len(s.parents) }

// bytes is what the set takes up.
func (s *visited) bytes() int64 {
	return int64(len(s.prints))*12 + int64(cap(s.parents)+cap(s.ordinal))*4
}

// find returns the number of the state with a fingerprint, and whether it is new;
// a new one gets the next number.
func (s *visited) find(print uint64, parent, ordinal uint32) (uint32, bool) {
	if print == 0 {
		print = 1
	}
	if 4*len(s.parents) >= 3*len(s.prints) {
		s.grow()
	}
	mask := uint64(len(s.prints) - 1)
	i := print & mask
	for s.prints[i] != 0 {
		if s.prints[i] == print {
			return s.numbers[i], false
		}
		i = (i + 1) & mask
	}
	n := uint32(len(s.parents))
	s.prints[i], s.numbers[i] = print, n
	s.parents, s.ordinal = append(s.parents, parent), append(s.ordinal, ordinal)
	return n, true
}

func (s *visited) grow() {
	prints, numbers := s.prints, s.numbers
	s.prints, s.numbers = make([]uint64, 2*len(prints)), make([]uint32, 2*len(prints))
	mask := uint64(len(s.prints) - 1)
	for k, p := range prints {
		if p == 0 {
			continue
		}
		i := p & mask
		for s.prints[i] != 0 {
			i = (i + 1) & mask
		}
		s.prints[i], s.numbers[i] = p, numbers[k]
	}
}

// omission is the expected number of states lost because two had one fingerprint:
// d new states among g generated are lost with probability about d·(g−d)/2⁶⁴.
func omission(distinct, generated int64) float64 {
	d, g := float64(distinct), float64(max(generated, distinct))
	return d * (g - d + d/2) / (1 << 32) / (1 << 32)
}

func fingerprint(v []uint32) uint64 {
	return xxh3.Hash(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v)))
}
