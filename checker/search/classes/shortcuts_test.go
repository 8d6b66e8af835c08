package classes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/zone"
	"contend/model"
)

// Without merging a class stays where a later one contains it: what equals it is known still. With merging it
// does not.
func TestWhatStaysLive(t *testing.T) {
	in := model.Between
	small, large := along(in(0, 2)), along(in(0, 3))
	for _, merging := range []bool{true, false} {
		set := New(merging)
		put(set, 1, NoClass, small)
		put(set, 1, NoClass, large)
		if !set.Has(fingerprint.Print{A: 1}, small) {
			t.Errorf("merging %v: a zone that was met is not known", merging)
		}
		if ids, _ := put(set, 1, NoClass, small); len(ids) > 0 {
			t.Errorf("merging %v: a zone that was met makes the classes %v", merging, ids)
		}
		if live := len(set.States[0].live); merging && live != 1 || !merging && live != 2 {
			t.Errorf("merging %v: %d classes are live", merging, live)
		}
	}
}

// A batch with nothing new adds nothing to a set, and a class with a zone of another state adds what it takes itself.
func TestSizeOfWhatIsKnown(t *testing.T) {
	in := model.Between
	set := New(true)
	put(set, 1, NoClass, along(in(0, 2)))
	put(set, 2, NoClass, along(in(0, 9)))
	before := set.Size
	if ids, fresh := put(set, 1, NoClass, along(in(0, 1))); len(ids) > 0 || fresh || set.Size != before {
		t.Errorf("a zone that is known makes classes %v; the size is %d, and was %d", ids, set.Size, before)
	}
	if ids, fresh := put(set, 1, NoClass, along(in(0, 9))); len(ids) != 1 || fresh || set.Size < before+40 {
		t.Errorf("a class makes %v; the size is %d, and was %d", ids, set.Size, before)
	}
}

// Of zones within each other the largest are left, whichever comes first.
func TestMaximal(t *testing.T) {
	in := model.Between
	small, large, other := along(in(1, 2)), along(in(0, 3)), along(in(5, 6))
	for _, all := range [][]zone.Zone{{small, large, other}, {large, small, other}, {other, small, large}, {large, large, other}, {small, other, small, large}} {
		if got := maximal(slices.Clone(all)); !same(got, []zone.Zone{large, other}) {
			t.Errorf("of %v are left %v", text(all), text(got))
		}
	}
}

// Up to exchanges one is left of zones that are one, or in the image of another that comes first.
func TestUpToExchanges(t *testing.T) {
	in := model.Between
	rows := [][]int{{0, 2, 1}}
	z, exchanged, apart := box(in(0, 1), in(2, 3)), box(in(2, 3), in(0, 1)), box(in(7, 8), in(7, 8))
	within := box(in(2, 3), in(0, 0))
	for _, all := range [][]zone.Zone{{z, exchanged, apart}, {apart, exchanged, z}} {
		got := orbitRepresentatives(rows, slices.Clone(all))
		if len(got) != 2 || !same(maximal(images(got, rows)), maximal(images([]zone.Zone{z, apart}, rows))) {
			t.Errorf("of %v are left %v", text(all), text(got))
		}
	}
	// One that is in the image of one before it goes, too.
	gone := 0
	for _, large := range []zone.Zone{z, exchanged} {
		for _, small := range []zone.Zone{within, box(in(0, 0), in(2, 3))} {
			gone += 2 - len(orbitRepresentatives(rows, []zone.Zone{small, large}))
		}
	}
	if gone == 0 {
		t.Error("zones within the image of another are all left")
	}
}

// A pair is put together where a third covers what they leave out, though no hull of all does.
func TestAThirdFillsTheCorner(t *testing.T) {
	in := model.Between
	a, b, third, far := box(in(0, 1), in(0, 2)), box(in(0, 2), in(0, 1)), box(in(1, 2), in(1, 2)), box(in(8, 9), in(8, 9))
	for _, all := range [][]zone.Zone{{third, a, b, far}, {far, a, third, b}, {a, b, third, far}, {b, far, third, a}} {
		if got := new(Merger).mergeConvex(slices.Clone(all)); !same(got, []zone.Zone{box(in(0, 2), in(0, 2)), far}) {
			t.Errorf("of %v come %v", text(all), text(got))
		}
	}
}

// One that was put together with another is put together with those that came between, too.
func TestPiecesInEveryOrder(t *testing.T) {
	in := model.Between
	pieces := []zone.Zone{along(in(0, 1)), along(in(1, 2)), along(in(2, 3)), along(in(3, 4)), along(in(8, 9))}
	r := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		if got := new(Merger).mergeConvex(slices.Clone(pieces)); !same(got, []zone.Zone{along(in(0, 4)), along(in(8, 9))}) {
			t.Fatalf("of %v come %v", text(pieces), text(got))
		}
	}
}

// Of zones that were put together no two are left whose hull all of them cover: not in whatever order they came, and not whatever the
// merger did before.
func TestNoPairIsLeft(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	used, merged := &Merger{}, 0
	used.cover.Effort = 1 // as after a batch of very many
	for range 150 {
		var all []zone.Zone
		for range 3 + r.IntN(5) {
			all = append(all, someZone(r))
		}
		all = maximal(all)
		got := new(Merger).mergeConvex(slices.Clone(all))
		if again := used.mergeConvex(slices.Clone(all)); !slices.EqualFunc(got, again, zone.Zone.Equal) {
			t.Fatalf("%v become %v, and by a merger that was used before %v", text(all), text(got), text(again))
		}
		used.cover.Effort = 1
		sameUnion(t, all, nil, got)
		for i, z := range got {
			for _, other := range got[:i] {
				hull, covered := hullOf(z, other), true
				everyPoint(func(p point) { covered = covered && (!has(hull, p) || inOne(all, p)) })
				if covered {
					t.Fatalf("%v become %v, of which two are left whose hull is covered: %v and %v", text(all), text(got), z.M, other.M)
				}
			}
		}
		if len(got) < len(all) {
			merged++
		}
	}
	if merged < 30 {
		t.Errorf("zones become fewer %d times", merged)
	}
}
