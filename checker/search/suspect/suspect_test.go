package suspect

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
)

// Of the suspects of each claim those with the least keys are kept, however many there are of other claims, and of one
// state a step that does not end in a failure goes before one that does.
func TestTheLeastOfEachClaim(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var all []Suspect
	want := map[int][]uint64{}
	for claim, n := range []int{100, 5, PerClaim, PerClaim + 1} {
		for range n {
			key := 2 * r.Uint64N(1<<40)
			want[claim] = append(want[claim], key)
			all = append(all, Suspect{Claim: claim, Key: fingerprint.Print{A: key}, Fails: true}, Suspect{Claim: claim, Key: fingerprint.Print{A: key}})
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	got := map[int][]uint64{}
	kept := Least(all)
	for _, c := range kept {
		if got[c.Claim] = append(got[c.Claim], c.Key.A); c.Fails {
			t.Errorf("of claim %d a step that fails is kept", c.Claim)
		}
	}
	for claim, keys := range want {
		slices.Sort(keys)
		if keys = keys[:min(len(keys), PerClaim)]; !slices.Equal(got[claim], keys) {
			t.Errorf("of claim %d %v are kept, want %v", claim, got[claim], keys)
		}
	}
	if !slices.IsSortedFunc(kept, func(a, b Suspect) int { return cmp.Compare(a.Claim, b.Claim) }) {
		t.Error("the claims are not in order")
	}
}

// A suspect is shown by what its own monitor said, and of a cost by the number that it reported.
func TestShows(t *testing.T) {
	s := Suspect{Monitor: 2, Measured: 5}
	for b, want := range map[step.Broken]bool{{Monitor: 2, Measured: 5}: true, {Monitor: 1, Measured: 5}: false, {Monitor: 2}: false} {
		if s.Matches(b) != want {
			t.Errorf("%+v: %v", b, !want)
		}
	}
}

// Of readings the least number and the most are kept: of equal ones of a layer that at the least key, and else the earlier.
func TestExtremes(t *testing.T) {
	at := func(number int, a, b uint64) *Reading {
		return &Reading{number, Suspect{Key: fingerprint.Print{A: a, B: b}}}
	}
	layer := []*Reading{at(4, 9, 0), at(2, 7, 1), at(2, 7, 0), at(4, 8, 5), at(3, 1, 1), at(2, 9, 0)}
	for range 20 {
		rand.Shuffle(len(layer), func(i, j int) { layer[i], layer[j] = layer[j], layer[i] })
		var halves [2]Extremes
		for i, r := range layer {
			halves[i%2].Take(r, true)
		}
		var e Extremes
		e.TakeAll(halves[1], true)
		e.TakeAll(halves[0], true)
		if *e.Least != *at(2, 7, 0) || *e.Most != *at(4, 8, 5) {
			t.Fatalf("the least is %+v and the most %+v", e.Least, e.Most)
		}
		e.TakeAll(Extremes{at(2, 0, 0), at(4, 0, 0)}, false)
		if e.Least.At.Key.A != 7 || e.Most.At.Key.A != 8 {
			t.Fatal("a later layer's takes the place of an equal one")
		}
		e.TakeAll(Extremes{at(1, 0, 0), at(5, 0, 0)}, false)
		if e.Least.Number != 1 || e.Most.Number != 5 {
			t.Fatal("a later layer's is not taken")
		}
		if e.TakeAll(Extremes{}, true); e.Least == nil {
			t.Fatal("what is nothing takes the place of something")
		}
	}
}
