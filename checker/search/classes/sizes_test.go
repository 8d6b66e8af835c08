package classes

import (
	"slices"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/zone"
	"contend/model"
)

// about reports whether bytes are counted for so many words, and little besides.
func about(bytes int64, words int) bool { return bytes >= int64(4*words) && bytes < int64(4*words)+600 }

// What is kept is counted by its words.
func TestSizesAreCounted(t *testing.T) {
	const many = 20_000
	small := along(model.By(1))
	wide := zone.Zone{N: small.N, M: make([]zone.Bound, many)}
	for i := range wide.M {
		wide.M[i] = small.M[i%len(small.M)]
	}
	s := New(false)
	add := func(v []uint32, parents int, z zone.Zone) int64 {
		before, b := s.Size, &batch{key: fingerprint.Print{A: uint64(len(s.States))}, V: v, merged: []zone.Zone{z}}
		b.fresh.V = v
		for p := range parents {
			b.parents = append(b.parents, uint32(p))
		}
		s.Commit(b)
		return s.Size - before
	}
	for name, c := range map[string]struct {
		bytes int64
		words int
	}{
		"a state":            {add(make([]uint32, many), 1, small), many},
		"a zone":             {add(nil, 1, wide), many},
		"one that is shared": {add(nil, 1, wide), 0},
		"the classes before": {add(nil, many, small), many},
	} {
		if !about(c.bytes, c.words) || c.bytes <= 0 {
			t.Errorf("%s is kept in %d bytes for %d words", name, c.bytes, c.words)
		}
	}
}

// Batches come in the order of their keys, by the first half and then by the second.
func TestBatchesAreInOrder(t *testing.T) {
	want := []fingerprint.Print{{A: 1, B: 9}, {A: 2, B: 3}, {A: 2, B: 4}, {A: 2, B: 8}, {A: 7, B: 0}, {A: 8, B: 1}}
	found := []Findings{{}, {}}
	for i, key := range want {
		found[i%2].Add(key, nil, along(model.By(1)), 0)
	}
	var got []fingerprint.Print
	for _, b := range New(true).Batches(found) {
		got = append(got, b.key)
	}
	if !slices.Equal(got, want) || len(found[0])+len(found[1]) > 0 {
		t.Errorf("%v; want %v", got, want)
	}
}
