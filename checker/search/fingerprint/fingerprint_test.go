package fingerprint

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers have fingerprints of their own at each place, different in either half.
func TestNumbersHavePlaces(t *testing.T) {
	firsts, seconds, apart := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}
	const places, numbers = 70, 300
	for place := range places {
		for number := range uint32(numbers) {
			p := Numbered(place, number+1)
			firsts[p.A], seconds[p.B], apart[p.B-p.A] = true, true, true
		}
	}
	if len(firsts) != places*numbers || len(seconds) != places*numbers {
		t.Errorf("%d prints, and %d second halves, of %d", len(firsts), len(seconds), places*numbers)
	}
	if len(apart) != places*numbers { // else sums that are equal in one half would be so in the other
		t.Errorf("of %d prints the halves are %d numbers apart", places*numbers, len(apart))
	}
	met := map[Print]bool{}
	for place := range 5 {
		for _, number := range []uint32{1, 2, 1 << 30, 1 << 31, 1<<31 | 1, 1<<31 | 2, 1<<32 - 1} {
			met[Numbered(place, number)] = true
		}
	}
	if len(met) != 5*7 {
		t.Errorf("%d large numbers at places have %d prints", 5*7, len(met))
	}
	if Numbered(3, 0) != (Print{}) {
		t.Error("a place that holds nothing adds something")
	}
}

// A sum does not depend on the order of its parts, and what was added can be taken out.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var parts []Print
	for range 20 {
		parts = append(parts, Of([]byte{byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32())}))
	}
	sum := func() (p Print) {
		for _, q := range parts {
			p = p.Plus(q)
		}
		return p
	}
	whole := sum()
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	if sum() != whole {
		t.Error("the sum depends on the order")
	}
	last := parts[len(parts)-1]
	if parts = parts[:len(parts)-1]; whole.Minus(last) != sum() {
		t.Error("what was added is not taken out")
	}
}

// Words are spread as by the finaliser of splitmix64, whose sequence from 0 is published, and contents are
// hashed by XXH3, of which the hash of nothing is.
func TestPublishedHashes(t *testing.T) {
	const gamma = 0x9e3779b97f4a7c15
	for k, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		if got := Scramble(gamma * uint64(k+1)); got != want {
			t.Errorf("word %d is %x, want %x", k, got, want)
		}
	}
	if got, want := Of(nil), (Print{0x6001c324468d497f, 0x99aa06d3014798d8}); got != want {
		t.Errorf("nothing has the print %x, want %x", got, want)
	}
}

// Less and Compare are one order, by the first half and then by the second.
func TestOrder(t *testing.T) {
	sorted := []Print{{0, 1}, {0, 2}, {1, 0}, {1, 1 << 63}, {1 << 63, 0}}
	for i, p := range sorted {
		for j, q := range sorted {
			if p.Less(q) != (i < j) || (Compare(p, q) < 0) != (i < j) || (Compare(p, q) == 0) != (i == j) {
				t.Errorf("%v and %v are in the wrong order", p, q)
			}
		}
	}
	if !slices.IsSortedFunc(sorted, Compare) {
		t.Error("what is in order is not sorted")
	}
}
