// Package fingerprint makes and adds up fingerprints of 128 bits.
//
// The fingerprint of a state is the sum of its components', so that a step changes it by
// what the step changes, whatever the order of the pending events, and no state is hashed
// as a whole. That of a component is a hash of its content, not of the number that it is
// known by: it is the same in every run.
//
// The sums of two different states are equal with probability 2⁻⁶⁴ in each half, if the
// components' hashes are random; an event that is pending 2ᵏ times costs k bits of that.
package fingerprint

import (
	"cmp"

	"github.com/zeebo/xxh3"
)

// A Print is a fingerprint, in two halves. A search that stores 64 bits stores the first.
type Print struct{ A, B uint64 }

// Plus adds a component's fingerprint to a state's.
func (p Print) Plus(q Print) Print { return Print{p.A + q.A, p.B + q.B} }

// Minus takes a component's fingerprint out of a state's.
func (p Print) Minus(q Print) Print { return Print{p.A - q.A, p.B - q.B} }

// Less orders fingerprints by their first halves, and then by their second ones.
func (p Print) Less(q Print) bool { return p.A < q.A || p.A == q.A && p.B < q.B }

// Compare is negative, zero or positive as p comes before q, is q, or comes after it.
func Compare(p, q Print) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) }

// Of is the fingerprint of a component's content.
func Of(content []byte) Print {
	h := xxh3.Hash128(content)
	return Print{h.Lo, h.Hi}
}

// Numbered is the fingerprint of a small number that stands at a place of its own. That of
// zero is zero: a place that holds nothing adds nothing.
func Numbered(place int, number uint32) Print {
	if number == 0 {
		return Print{}
	}
	a := Scramble(uint64(place+1)<<32 | uint64(number))
	return Print{a, Scramble(a + 0x9e3779b97f4a7c15)}
}

// Scramble spreads a word over all words, each to another: the finaliser of splitmix64.
func Scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
