package symmetry

import (
	"contend/checker/search/fingerprint"
)

// tooMany is how many orders of tied members are tried before the first serves. That is
// sound: an orbit may then count more than once.
const tooMany = 5040

// tieEnd is the rank behind the last member that ties with the one at a rank.
func (s *side) tieEnd(from int) int {
	to := from + 1
	for to < len(s.order) && s.sight[s.order[to]] == s.sight[s.order[from]] {
		to++
	}
	return to
}

// least returns the least print among those of the orders.
func (s *side) least(of func(order []int) fingerprint.Print) (best fingerprint.Print) {
	first := true
	s.orders(func(order []int) {
		if p := of(order); first || p.Less(best) {
			first, best = false, p
		}
	})
	return best
}

// orders hands to try every order in which only tied members change places, and of orders
// that differ within classes one; or the first alone if there are too many.
func (s *side) orders(try func(order []int)) {
	count := 1
	for from := 0; from < len(s.order); {
		to := s.tieEnd(from)
		for k := from; k < to; k++ {
			alike := 1 // of its class, up to here
			for j := from; j < k; j++ {
				if s.class[s.order[j]] == s.class[s.order[k]] {
					alike++
				}
			}
			count = count * (k - from + 1) / alike // a multinomial coefficient, whole at each step
		}
		if from = to; count > tooMany {
			try(s.order)
			return
		}
	}
	s.Tried = max(s.Tried, count)
	s.arrange(0, try)
}

// arrange permutes the tied members from rank on.
func (s *side) arrange(rank int, try func(order []int)) {
	if rank == len(s.order) {
		try(s.order)
		return
	}
	var tried uint16 // classes, of which one is put at this rank
	for k := rank; k < s.tieEnd(rank); k++ {
		class := uint16(1) << s.class[s.order[k]]
		if tried&class != 0 {
			continue
		}
		tried |= class
		s.order[rank], s.order[k] = s.order[k], s.order[rank]
		s.arrange(rank+1, try)
		s.order[rank], s.order[k] = s.order[k], s.order[rank]
	}
}
