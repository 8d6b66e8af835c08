package quorum

import "math/bits"

// A set is a set of servers, as bits.
type set uint32

// A system has the minimal quorums over servers 0 … N−1; N ≤ 20.
type system struct {
	N       int
	quorums []set
}

// enumerate returns the minimal quorums of a threshold system.
func (t Threshold) enumerate() system {
	s := system{N: t.N}
	for some := set(0); some < 1<<t.N; some++ {
		if bits.OnesCount32(uint32(some)) == t.Size {
			s.quorums = append(s.quorums, some)
		}
	}
	return s
}

// intersection returns the smallest |Q ∩ Q′| over all pairs of quorums, by enumeration.
func (s system) intersection() int {
	least := s.N
	for _, p := range s.quorums {
		for _, q := range s.quorums {
			least = min(least, bits.OnesCount32(uint32(p&q)))
		}
	}
	return least
}

// avoids reports, by enumeration, whether every set of the given number of servers is avoided by some quorum.
func (s system) avoids(servers int) bool {
	for bad := set(0); bad < 1<<s.N; bad++ {
		if bits.OnesCount32(uint32(bad)) == servers && !s.hasOutside(bad) {
			return false
		}
	}
	return true
}

func (s system) hasOutside(bad set) bool {
	for _, q := range s.quorums {
		if q&bad == 0 {
			return true
		}
	}
	return false
}
