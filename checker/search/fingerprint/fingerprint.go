// Package fingerprint computes fingerprints of 128 bits, and adds them.
//
// The fingerprint of a state is the sum of its components' fingerprints. So a step changes it by the changed
// components, in whatever order the pending events are, and no state is hashed as a whole. The fingerprint of a
// component is a hash of its content, and not of its number. So it is the same in every run.
//
// If the hashes are random, the sums of two different states are equal with probability 2⁻⁶⁴ in each half. An
// event that is pending 2ᵏ times costs k bits of that.
package fingerprint

import (
	"cmp"

	"github.com/zeebo/xxh3"
)

// A Print is a fingerprint, in two halves. A search that stores 64 bits stores the first.
type Print struct{ A, B uint64 }

// Plus adds the fingerprint of a component.
func (p Print) Plus(q Print) Print { return Print{p.A + q.A, p.B + q.B} }

// Minus subtracts the fingerprint of a component.
func (p Print) Minus(q Print) Print { return Print{p.A - q.A, p.B - q.B} }

// Less compares fingerprints by their first halves, and then by their second halves.
func (p Print) Less(q Print) bool { return p.A < q.A || p.A == q.A && p.B < q.B }

// Compare returns a negative number, zero or a positive number if p is before, equal to or after q.
func Compare(p, q Print) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) }

// Of returns the fingerprint of a component's content.
func Of(content []byte) Print {
	h := xxh3.Hash128(content)
	return Print{h.Lo, h.Hi}
}

// Numbered returns the fingerprint of a small number at a place. That of zero is zero: an empty place adds
// nothing.
func Numbered(place int, number uint32) Print {
	if number == 0 {
		return Print{}
	}
	a := Scramble(uint64(place+1)<<32 | uint64(number))
	return Print{a, Scramble(a + 0x9e3779b97f4a7c15)}
}

// Scramble is a permutation of the words that spreads them: the finaliser of splitmix64.
func Scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
