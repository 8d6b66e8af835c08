package zone

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// two zones with the same rows.
func two(t *rapid.T) (z, y Zone) {
	rows := rapid.IntRange(2, 4).Draw(t, "rows")
	return someZone(t, rows, 3), someZone(t, rows, 3)
}

// Zones are compared, met and contained as their points are.
func TestSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, y := two(t)
		if rapid.Bool().Draw(t, "near") { // zones that have much in common
			y = z.Clone()
			if i, j := row(t, y, "i"), row(t, y, "j"); i != j && !y.Limit(i, j, someBound(t, -2, 2)) {
				return
			}
		}
		met, hull := z.Clone(), z.Clone()
		meets := met.Meet(y)
		hull.Hull(y)
		mustBeClosed(t, hull)
		if meets {
			mustBeClosed(t, met)
		}
		if meets && z.Disjoint(y) {
			t.Fatalf("%v and %v meet, but are disjoint", z, y)
		}
		if z.Within(y) != (meets && met.Equal(z)) {
			t.Fatalf("%v is within %v: %v, but what they share is %v, %v", z, y, z.Within(y), met, meets)
		}
		if z.Equal(y) != (z.Within(y) && y.Within(z)) || z.Equal(y) && z.Hash() != y.Hash() {
			t.Fatalf("%v equals %v: %v", z, y, z.Equal(y))
		}
		if !z.Within(hull) || !y.Within(hull) {
			t.Fatalf("the hull %v of %v and %v does not contain both", hull, z, y)
		}
		for _, p := range slices.Concat(somePoints(t, z), somePoints(t, y)) {
			if both := z.has(p) && y.has(p); both != (meets && met.has(p)) {
				t.Fatalf("%v and %v meet in %v, %v: point %v", z, y, met, meets, p)
			}
			if z.has(p) && z.Within(y) && !y.has(p) {
				t.Fatalf("%v is not within %v: point %v", z, y, p)
			}
		}
	})
}

// The hull is the least zone: each of its bounds is one that the one zone or the other
// reaches, and no zone below it contains both.
func TestHullIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, y := two(t)
		hull := z.Clone()
		hull.Hull(y)
		less := hull.Clone()
		i, j := rapid.IntRange(0, z.N-1).Draw(t, "i"), rapid.IntRange(0, z.N-1).Draw(t, "j")
		b := hull.At(i, j)
		if i == j {
			return
		}
		if b == None {
			b = AtMost(1 << 20)
		} else {
			b--
		}
		if less.Limit(i, j, b) && z.Within(less) && y.Within(less) {
			t.Fatalf("%v is below the hull %v of %v and %v, and contains both", less, hull, z, y)
		}
	})
}

// Arranging rows there and back is nothing, and rows that are not named are dropped.
func TestArrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := someZone(t, rapid.IntRange(2, 4).Draw(t, "rows"), 3)
		order := append([]int{0}, rapid.Permutation(rows(z)).Draw(t, "order")...)
		var there, back Zone
		there.Arrange(z, order)
		inverse := make([]int, z.N)
		for k, from := range order {
			inverse[from] = k
		}
		back.Arrange(there, inverse)
		if !back.Equal(z) || back.N != z.N {
			t.Fatalf("%v by %v is %v, and back %v", z, order, there, back)
		}
		for _, p := range somePoints(t, z) {
			q := make(point, z.N)
			for k, from := range order {
				q[k] = p[from]
			}
			if z.has(p) != there.has(q) {
				t.Fatalf("%v by %v is %v: point %v", z, order, there, p)
			}
		}
		gone := row(t, z, "gone")
		var fewer Zone
		fewer.Arrange(z, slices.Delete(slices.Insert(rows(z), 0, 0), gone, gone+1))
		if z.Drop(gone); !z.Equal(fewer) || z.N != fewer.N {
			t.Fatalf("%v without row %d is %v", fewer, gone, z)
		}
	})
}

// rows are the rows of a zone besides now.
func rows(z Zone) []int {
	var all []int
	for k := 1; k < z.N; k++ {
		all = append(all, k)
	}
	return all
}

// split takes a zone apart into zones of which it is the union.
func split(t *rapid.T, z Zone, cuts int) []Zone {
	parts := []Zone{z.Clone()}
	for range cuts {
		k := rapid.IntRange(0, len(parts)-1).Draw(t, "part")
		i, j := rapid.IntRange(0, z.N-1).Draw(t, "i"), rapid.IntRange(0, z.N-1).Draw(t, "j")
		b := Bound(rapid.IntRange(-6, 7).Draw(t, "bound"))
		if i == j {
			continue
		}
		one, other := parts[k].Clone(), parts[k].Clone()
		if one.Limit(i, j, b) && other.Limit(j, i, b.not()) {
			parts = append(slices.Delete(parts, k, k+1), one, other)
		}
	}
	return parts
}

// A zone is covered by its parts, whatever their order; without one of them it is not.
// When it is covered, every point of it is in some part.
func TestCovered(t *testing.T) {
	covered, not := 0, 0
	c := new(Cover) // one for all, so that its memory is used again
	rapid.Check(t, func(t *rapid.T) {
		c.Effort = 1 << 20
		z := someZone(t, rapid.IntRange(2, 4).Draw(t, "rows"), 3)
		parts := rapid.Permutation(split(t, z, rapid.IntRange(0, 5).Draw(t, "cuts"))).Draw(t, "parts")
		if !c.Covered(z, parts) {
			t.Fatalf("%v is not covered by its parts %v", z, parts)
		}
		covered++
		if c.Covered(z, parts[1:]) {
			t.Fatalf("%v is covered by its parts %v without %v", z, parts[1:], parts[0])
		}
		not++
		for k := range parts { // parts that overlap cover it as well
			if rapid.Bool().Draw(t, "wider") {
				parts[k].Hull(z)
			}
		}
		if !c.Covered(z, parts) {
			t.Fatalf("%v is not covered by %v, one of which may contain it", z, parts)
		}
	})
	t.Logf("%d are covered, %d are not", covered, not)
}

// What is said to be covered is, by whatever zones.
func TestCoveredByOthers(t *testing.T) {
	both := map[bool]int{}
	others := func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "rows")
		z := someZone(t, n, 2)
		var by []Zone
		for range rapid.IntRange(1, 4).Draw(t, "by") {
			y := z.Clone()
			if i, j := row(t, y, "i"), row(t, y, "j"); !y.Limit(i, 0, someBound(t, 0, 4)) || i != j && !y.Limit(i, j, someBound(t, -2, 3)) {
				continue
			}
			by = append(by, y)
		}
		c := Cover{Effort: 1 << 20}
		is := c.Covered(z, by)
		both[is]++
		missed := false
		for _, p := range somePoints(t, z) {
			missed = missed || z.has(p) && !slices.ContainsFunc(by, func(y Zone) bool { return y.has(p) })
		}
		if is && missed {
			t.Fatalf("%v is covered by %v, but a point is not", z, by)
		}
	}
	for range 20 { // a short check may draw too few of one sort
		if rapid.Check(t, others); both[true] >= 10 && both[false] >= 10 {
			break
		}
	}
	if t.Logf("covered: %v", both); both[true] < 10 || both[false] < 10 {
		t.Error("too few are covered, or not, for the test to mean much")
	}
}
