package runs

import (
	"cmp"
	"reflect"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
)

// wayBy looks for a way from 1 where names allow parents, and of the steps that these are some
// are real.
func wayBy(limit int, to uint64, names map[uint64][]uint64, real map[[2]uint64]bool) (way []uint64, found bool, tried int) {
	print := func(n uint64) fingerprint.Print { return fingerprint.Print{A: n} }
	s := &seeker[uint64]{
		limit: limit,
		roots: []fingerprint.Print{print(1)},
		parents: func(of fingerprint.Print) (all []fingerprint.Print) {
			for _, n := range names[of.A] {
				all = append(all, print(n))
			}
			return all
		},
		step: func(from uint64, key fingerprint.Print) (uint64, bool) {
			return key.A, from == 0 && key.A == 1 || real[[2]uint64{from, key.A}]
		},
	}
	keys, found := s.seek(print(to))
	for _, k := range keys {
		way = append(way, k.A)
	}
	return way, found, s.tried
}

// Where two states go by one name, a parent's name may be that of a state further on, even of
// the state itself; the way is the one whose steps are real.
func TestWaysAmongSharedNames(t *testing.T) {
	names := map[uint64][]uint64{2: {1}, 3: {5, 2, 3}, 4: {3, 2}, 5: {4}}
	for name, c := range map[string]struct {
		to    uint64
		real  [][2]uint64
		want  []uint64
		tried int // states that a way is sought to, and steps
	}{
		"first parent":  {5, [][2]uint64{{1, 2}, {2, 3}, {3, 4}, {4, 5}}, []uint64{1, 2, 3, 4, 5}, 10},
		"second parent": {5, [][2]uint64{{1, 2}, {2, 3}, {2, 4}, {4, 5}}, []uint64{1, 2, 4, 5}, 11},
		"the root":      {1, nil, []uint64{1}, 2},
		"none":          {5, [][2]uint64{{1, 2}, {2, 3}, {4, 5}}, nil, 10},
		"no step":       {3, nil, nil, 9},
	} {
		real := map[[2]uint64]bool{}
		for _, step := range c.real {
			real[step] = true
		}
		got, found, tried := wayBy(maxTried, c.to, names, real)
		if !reflect.DeepEqual(got, c.want) || found != (c.want != nil) || tried != c.tried {
			t.Errorf("%s: %v, %v, by trying %d; want %v by trying %d", name, got, found, tried, c.want, c.tried)
		}
	}
}

// Of several steps the soonest is taken, then the one to the least state, then the least by name.
func TestLeastSuccessor(t *testing.T) {
	var all []*successor
	for _, delay := range []int32{0, 1} {
		for _, sum := range []uint64{3, 5} {
			for _, name := range []string{"a", "b"} {
				all = append(all, &successor{move: step.Move{Delay: delay}, sum: fingerprint.Print{A: sum}, name: name})
			}
		}
	}
	for i, s := range all {
		for j, other := range all {
			if got, want := s.compare(other), cmp.Compare(i, j); got != want {
				t.Errorf("%d and %d compare as %d", i, j, got)
			}
		}
	}
}

// When too much was tried, no further parent is: of a chain the way is found as long as the last of its
// states is begun before.
func TestWaysAreGivenUp(t *testing.T) {
	names, real := map[uint64][]uint64{2: {1}, 3: {2}, 4: {3}}, map[[2]uint64]bool{{1, 2}: true, {2, 3}: true, {3, 4}: true}
	for most, want := range map[int]bool{1: false, 3: false, 4: true, 8: true} {
		if _, found, tried := wayBy(most, 4, names, real); found != want || !found && tried > most {
			t.Errorf("of %d: found %v, by trying %d", most, found, tried)
		}
	}
}

// That at each of many states two go by one name allows more ways than could ever be tried; the
// one that is real is found by about as many steps as there are states.
func TestWaysAreNotTriedOneByOne(t *testing.T) {
	const length = 1000
	names, real := map[uint64][]uint64{}, map[[2]uint64]bool{}
	for at := uint64(2); at <= length; at++ {
		names[at] = []uint64{at - 1}
		if at > 2 {
			names[at] = []uint64{at - 2, at - 1} // the first is a state with a way of its own, and no step to this one
		}
		real[[2]uint64{at - 1, at}] = true
	}
	way, _, tried := wayBy(maxTried, length, names, real)
	if len(way) != length || tried > 4*length {
		t.Errorf("a way of %d states, found by trying %d states and steps", len(way), tried)
	}
}
