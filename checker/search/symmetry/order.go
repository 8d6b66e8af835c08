package symmetry

import (
	"contend/checker/search/fingerprint"
)

// maxOrders is the number of orders above which only the first order is tried. This is sound: an orbit may then
// count more than once.
const maxOrders = 5040

// tieEnd returns the rank after the last member that is tied with the member at rank from.
func (s *side) tieEnd(from int) int {
	to := from + 1
	for to < len(s.order) && s.sight[s.order[to]] == s.sight[s.order[from]] {
		to++
	}
	return to
}

// least returns the least value of of over the orders.
func (s *side) least(of func(order []int) fingerprint.Print) (best fingerprint.Print) {
	first := true
	s.orders(func(order []int) {
		if p := of(order); first || p.Less(best) {
			first, best = false, p
		}
	})
	return best
}

// orders calls try with every order that permutes only tied members, once for orders that differ within
// classes. If there are more than maxOrders, it calls try with the first order only. The order is valid during
// the call.
func (s *side) orders(try func(order []int)) {
	count := 1
	for from := 0; from < len(s.order); {
		to := s.tieEnd(from)
		for k := from; k < to; k++ {
			alike := 1 // members of the class of k, up to k
			for j := from; j < k; j++ {
				if s.class[s.order[j]] == s.class[s.order[k]] {
					alike++
				}
			}
			count = count * (k - from + 1) / alike // a multinomial coefficient, whole at each step
		}
		if from = to; count > maxOrders {
			try(s.order)
			return
		}
	}
	s.Tried = max(s.Tried, count)
	s.arrange(0, try)
}

// arrange permutes the tied members from a rank on.
func (s *side) arrange(rank int, try func(order []int)) {
	if rank == len(s.order) {
		try(s.order)
		return
	}
	var tried uint16 // classes that were tried at this rank, as bits
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
