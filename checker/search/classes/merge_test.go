package classes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/zone"
	"contend/model"
)

// Zones become one where their union is convex, and no more.
func TestConvexUnionsAreMerged(t *testing.T) {
	in, open := model.Between, func(lo, hi model.Ticks) model.Window { return model.Window{Lo: model.Below(lo), Hi: model.Below(hi)} }
	until := func(lo, hi model.Ticks) model.Window { return model.Window{Lo: model.Through(lo), Hi: model.Below(hi)} }
	for _, c := range []struct {
		name       string
		fresh, old []zone.Zone
		want       []zone.Zone
	}{
		{"they touch", []zone.Zone{along(in(0, 1)), along(in(1, 2))}, nil, []zone.Zone{along(in(0, 2))}},
		{"they overlap", []zone.Zone{along(in(0, 2)), along(in(1, 3))}, nil, []zone.Zone{along(in(0, 3))}},
		{"the one ends where the other begins", []zone.Zone{along(until(0, 1)), along(in(1, 2))}, nil, []zone.Zone{along(in(0, 2))}},
		{"a point is missing", []zone.Zone{along(until(0, 1)), along(open(1, 2))}, nil, []zone.Zone{along(until(0, 1)), along(open(1, 2))}},
		{"the point is a third", []zone.Zone{along(until(0, 1)), along(open(1, 2)), along(in(1, 1))}, nil, []zone.Zone{along(until(0, 2))}},
		{"there is a gap", []zone.Zone{along(in(0, 1)), along(in(2, 3))}, nil, []zone.Zone{along(in(0, 1)), along(in(2, 3))}},
		{"two of three touch", []zone.Zone{along(in(0, 1)), along(in(3, 4)), along(in(1, 2))}, nil, []zone.Zone{along(in(0, 2)), along(in(3, 4))}},
		{"one within the other", []zone.Zone{along(in(1, 2)), along(in(0, 3))}, nil, []zone.Zone{along(in(0, 3))}},
		{"two sides of a square", []zone.Zone{box(in(0, 1), in(0, 2)), box(in(1, 2), in(0, 2))}, nil, []zone.Zone{box(in(0, 2), in(0, 2))}},
		{"a corner", []zone.Zone{box(in(0, 1), in(0, 2)), box(in(0, 2), in(0, 1))}, nil, []zone.Zone{box(in(0, 1), in(0, 2)), box(in(0, 2), in(0, 1))}},
		{"a corner that a third fills", []zone.Zone{box(in(0, 1), in(0, 2)), box(in(0, 2), in(0, 1)), box(in(1, 2), in(1, 2))}, nil, []zone.Zone{box(in(0, 2), in(0, 2))}},
		{"known already", []zone.Zone{along(in(1, 2))}, []zone.Zone{along(in(0, 3))}, nil},
		{"known in part", []zone.Zone{along(in(1, 3))}, []zone.Zone{along(in(0, 2))}, []zone.Zone{along(in(1, 3))}},
		{"two classes, one known", []zone.Zone{along(in(1, 2)), along(in(3, 4))}, []zone.Zone{along(in(0, 2))}, []zone.Zone{along(in(3, 4))}},
		{"known but for the one that it touches", []zone.Zone{along(in(1, 2))}, []zone.Zone{along(in(0, 1))}, []zone.Zone{along(in(1, 2))}},
	} {
		got := new(Merger).merge(slices.Clone(c.fresh), c.old, nil)
		if !same(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, text(got), text(c.want))
		}
	}
}

// Where the two rows may be exchanged, zones count up to that.
func TestMergingUpToExchanges(t *testing.T) {
	in := model.Between
	for _, c := range []struct {
		name             string
		fresh, old, want []zone.Zone
	}{
		{"it is there, exchanged", []zone.Zone{box(in(0, 1), in(2, 3))}, []zone.Zone{box(in(2, 3), in(0, 1))}, nil},
		{"it is in one that is there, exchanged", []zone.Zone{box(in(0, 1), in(2, 3))}, []zone.Zone{box(in(2, 4), in(0, 1))}, nil},
		{"one is the other, exchanged", []zone.Zone{box(in(0, 1), in(2, 3)), box(in(2, 3), in(0, 1))}, nil, []zone.Zone{box(in(0, 1), in(2, 3))}},
		{"exchanged, they touch", []zone.Zone{box(in(0, 1), in(3, 4)), box(in(3, 4), in(1, 2))}, nil, []zone.Zone{box(in(0, 2), in(3, 4))}},
		{"it fills a square with itself, exchanged", []zone.Zone{box(in(0, 1), in(0, 2)), box(in(0, 2), in(1, 2))}, nil, []zone.Zone{box(in(0, 2), in(0, 2))}},
	} {
		got := new(Merger).merge(slices.Clone(c.fresh), c.old, [][]int{{0, 2, 1}})
		if len(got) != len(c.want) || !same(maximal(exchanged(got)), maximal(exchanged(c.want))) {
			t.Errorf("%s: %v, want %v", c.name, text(got), text(c.want))
		}
	}
}

// same compares zones in any order.
func same(a, b []zone.Zone) bool {
	order := func(a, b zone.Zone) int { return slices.Compare(a.M, b.M) }
	return slices.EqualFunc(slices.SortedFunc(slices.Values(a), order), slices.SortedFunc(slices.Values(b), order), zone.Zone.Equal)
}

// exchanged are zones, and what they become when the two rows are exchanged.
func exchanged(zones []zone.Zone) []zone.Zone {
	var all []zone.Zone
	for _, z := range zones {
		var y zone.Zone
		y.Arrange(z, []int{0, 2, 1})
		all = append(all, z, y)
	}
	return all
}

// Merging adds no point and loses none: together with the old zones, the zones that it returns are
// the union of the new ones, up to the exchanges of rows. None of them is in another or in an old
// one (up to exchanges: none equals another), and they are the same in whatever order the new ones
// come. Without merging only equal zones are left out.
func TestMergingKeepsTheUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fewer, left := 0, 0
	for range 400 {
		var fresh, old []zone.Zone
		for range 2 + r.IntN(4) {
			fresh = append(fresh, someZone(r))
		}
		for range r.IntN(3) {
			old = append(old, someZone(r))
		}
		fresh = append(fresh, fresh[0].Clone())
		var exchanges [][]int
		if r.IntN(2) == 0 {
			exchanges = [][]int{{0, 2, 1}}
		}
		for _, m := range []*Merger{{}, {Off: true}} {
			got := m.merge(slices.Clone(fresh), old, exchanges)
			if m.Off {
				sameUnion(t, fresh, old, got)
			} else {
				sameUnion(t, images(fresh, exchanges), images(old, exchanges), images(got, exchanges))
			}
			for k, z := range got {
				others := slices.Concat(got[:k], got[k+1:])
				known := slices.ContainsFunc(slices.Concat(old, others), z.Within)
				if m.Off {
					known = slices.ContainsFunc(slices.Concat(old, others), z.Equal)
				} else if exchanges != nil {
					known = slices.ContainsFunc(exchanged(others), z.Equal) || slices.ContainsFunc(exchanged(old), z.Within)
				}
				if known {
					t.Fatalf("off %v: %v of %v is known, or one of %v", m.Off, z.M, text(got), text(old))
				}
			}
			r.Shuffle(len(fresh), func(i, j int) { fresh[i], fresh[j] = fresh[j], fresh[i] })
			if again := m.merge(slices.Clone(fresh), old, exchanges); !slices.EqualFunc(got, again, zone.Zone.Equal) {
				t.Fatalf("off %v: in another order %v become %v, not %v", m.Off, text(fresh), text(again), text(got))
			}
			if !m.Off && len(got) < len(fresh)-1 {
				fewer++
			}
			left += len(got)
		}
	}
	if fewer < 100 || left < 100 {
		t.Errorf("%d became fewer, %d are left: too few", fewer, left)
	}
}

// images are zones up to exchanges, if there are any.
func images(zones []zone.Zone, exchanges [][]int) []zone.Zone {
	if exchanges == nil {
		return zones
	}
	return exchanged(zones)
}

// sameUnion compares point by point.
func sameUnion(t *testing.T, fresh, old, got []zone.Zone) {
	t.Helper()
	everyPoint(func(p point) {
		switch is := inOne(got, p); {
		case is && !inOne(fresh, p):
			t.Fatalf("%v become %v, with %v, which is in none", text(fresh), text(got), p)
		case !is && inOne(fresh, p) && !inOne(old, p):
			t.Fatalf("%v become %v, without %v; old are %v", text(fresh), text(got), p, text(old))
		}
	})
}

// The images of a zone are what the orders generate: here all six arrangements of three rows, of
// which no two are equal.
func TestImages(t *testing.T) {
	z := zone.Now()
	for k := range model.Ticks(3) {
		z.Add(zone.AtMost(-k), zone.AtMost(k))
	}
	for _, c := range []struct {
		orders [][]int
		want   int
	}{{nil, 1}, {[][]int{{0, 2, 1, 3}}, 2}, {[][]int{{0, 2, 3, 1}}, 3}, {[][]int{{0, 2, 1, 3}, {0, 1, 3, 2}}, 6}} {
		all := Images(z, c.orders)
		for k, image := range all {
			if slices.ContainsFunc(all[:k], image.Equal) {
				t.Errorf("%v: an image comes twice", c.orders)
			}
		}
		if len(all) != c.want || !all[0].Equal(z) {
			t.Errorf("%v: %d images, want %d", c.orders, len(all), c.want)
		}
	}
	alike := box(model.Between(1, 2), model.Between(1, 2))
	if all := Images(alike, [][]int{{0, 2, 1}}); len(all) != 1 {
		t.Errorf("rows that are alike have %d images", len(all))
	}
}
