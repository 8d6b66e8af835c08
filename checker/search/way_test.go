package search

import (
	"reflect"
	"testing"

	"contend/checker/search/fingerprint"
)

// Where two states go by one name, a parent's name may be that of a state further on, even of
// the state itself: then all ways that do not go round are tried, the first that is taken last.
func TestChains(t *testing.T) {
	print := func(n uint64) fingerprint.Print { return fingerprint.Print{A: n} }
	names := map[uint64][]uint64{2: {1}, 3: {5, 2, 3}, 4: {3, 2}, 5: {4}} // of parents; 1 is the root
	parents := func(of fingerprint.Print) (all []fingerprint.Print) {
		for _, n := range names[of.A] {
			all = append(all, print(n))
		}
		return all
	}
	var got [][]uint64
	taken := 0
	take := func(keys []fingerprint.Print) bool {
		var way []uint64
		for _, k := range keys {
			way = append(way, k.A)
		}
		got = append(got, way)
		return len(got) == taken
	}
	chains(print(5), []fingerprint.Print{print(1)}, parents, take)
	if want := [][]uint64{{1, 2, 3, 4, 5}, {1, 2, 4, 5}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the ways are %v, want %v", got, want)
	}
	got, taken = nil, 1
	chains(print(5), []fingerprint.Print{print(1)}, parents, take)
	if len(got) != 1 {
		t.Errorf("it goes on after a way was taken: %v", got)
	}
	got = nil
	chains(print(1), []fingerprint.Print{print(1)}, parents, take)
	if want := [][]uint64{{1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the ways to the root are %v, want %v", got, want)
	}
}
