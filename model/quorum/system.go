package quorum

import "math/bits"

// A Set is a set of servers, as bits.
type Set uint32

// A System has the minimal quorums over servers 0 … N−1; N ≤ 20.
type System struct {
	N       int
	Quorums []Set
}

// Enumerate returns the minimal quorums of a threshold system.
func (t Threshold) Enumerate() System {
	s := System{N: t.N}
	for set := Set(0); set < 1<<t.N; set++ {
		if bits.OnesCount32(uint32(set)) == t.Size {
			s.Quorums = append(s.Quorums, set)
		}
	}
	return s
}

// Intersection returns the smallest |Q ∩ Q′| over all pairs of quorums, by enumeration.
func (s System) Intersection() int {
	least := s.N
	for _, p := range s.Quorums {
		for _, q := range s.Quorums {
			least = min(least, bits.OnesCount32(uint32(p&q)))
		}
	}
	return least
}

// Avoids reports, by enumeration, whether every set of the given number of servers is avoided by some quorum.
func (s System) Avoids(servers int) bool {
	for bad := Set(0); bad < 1<<s.N; bad++ {
		if bits.OnesCount32(uint32(bad)) == servers && !s.hasOutside(bad) {
			return false
		}
	}
	return true
}

func (s System) hasOutside(bad Set) bool {
	for _, q := range s.Quorums {
		if q&bad == 0 {
			return true
		}
	}
	return false
}
