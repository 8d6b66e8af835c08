package search

import "github.com/zeebo/xxh3"

// A print is a 128-bit fingerprint. That of a state is the sum of its components',
// so that a step changes it by what the step changes, whatever the order of the
// pending events, and no state is hashed as a whole. That of a component is a hash
// of its content, not of the number it is known by: it is the same in every run.
//
// The sums of two different states are equal with probability 2⁻⁶⁴ in each half, if
// the components' hashes are random; an event that is pending 2ᵏ times costs k bits
// of that.
type print struct{ a, b uint64 }

func (p print) plus(q print) print  { return print{p.a + q.a, p.b + q.b} }
func (p print) minus(q print) print { return print{p.a - q.a, p.b - q.b} }

func printOf(content []byte) print {
	h := xxh3.Hash128(content)
	return print{h.Lo, h.Hi}
}

// numbered is the print of a small number that stands at a place of its own.
func numbered(place int, number uint32) print {
	if number == 0 {
		return print{}
	}
	a := scramble(uint64(place+1)<<32 | uint64(number))
	return print{a, scramble(a + 0x9e3779b97f4a7c15)}
}

// scramble is the finaliser of splitmix64.
func scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
