package absorb

import (
	"maps"
	"slices"
	"testing"
)

// An image of a transition has images itself: with those of neighbours in a row, each is exchanged with each. Transitions
// that come before others are settled wait for their turn.
func TestImagesOfImages(t *testing.T) {
	const servers = 5
	b := onBench(t, nothing, nil)
	at := func(server, k int) uint32 { return b.at(receiver, 10*server+k) }
	for s := range servers - 1 {
		swap := map[uint32]uint32{}
		for k := range 3 {
			swap[at(s, k)], swap[at(s+1, k)] = at(s+1, k), at(s, k)
		}
		b.Images = append(b.Images, func(local uint32) uint32 {
			if to, ok := swap[local]; ok {
				return to
			}
			return local
		})
	}
	b.edge(at(2, 0), at(2, 1))
	b.edge(at(2, 1), at(2, 2))
	for b.Settle(2) {
	}
	want := map[uint32][]uint32{}
	for s := range servers {
		want[at(s, 0)], want[at(s, 1)] = []uint32{at(s, 1)}, []uint32{at(s, 2)}
	}
	if !maps.EqualFunc(b.successors, want, slices.Equal) {
		t.Errorf("the transitions are %v, want %v", b.successors, want)
	}
}
