package zone

import (
	"slices"
	"testing"

	"contend/model"
	"pgregory.net/rapid"
)

// steps is how many parts a tick has on the grid of points that zones are compared with:
// with at most three rows besides now, a zone that is not empty has a point on quarters of a
// tick, and between any two of them is one on eighths.
const steps = 8

// A point gives θ of each row, in parts of a tick; the first is 0.
type point []int

// has reports whether a bound on a difference allows it, straight from its meaning.
func (b Bound) has(parts int) bool {
	c := int(b>>1) * steps
	switch {
	case b == None:
		return true
	case b&1 == 0:
		return parts < c
	}
	return parts <= c
}

func (z Zone) has(p point) bool {
	for i := range z.N {
		for j := range z.N {
			if !z.At(i, j).has(p[i] - p[j]) {
				return false
			}
		}
	}
	return true
}

// later is the point by so many parts earlier or, if negative, later.
func (p point) later(by int) point {
	out := slices.Clone(p)
	for i := 1; i < len(p); i++ {
		out[i] -= by
	}
	return out
}

// before reports whether one of the rows in urgent fires before row f does.
func (p point) before(f int, urgent []int) bool {
	return slices.ContainsFunc(urgent, func(k int) bool { return p[k] < p[f] })
}

// horizon is beyond all bounds that are drawn, in parts of a tick.
const horizon = 9 * steps

// somePoints draws points of the grid: some anywhere, some of a zone, and neighbours of
// those.
func somePoints(t *rapid.T, z Zone) []point {
	var out []point
	for range 12 {
		p := make(point, z.N)
		for i := 1; i < z.N; i++ {
			p[i] = 2 * rapid.IntRange(-horizon/2, horizon/2).Draw(t, "θ")
		}
		out = append(out, p)
		if q, ok := within(t, z); ok {
			near := slices.Clone(q)
			if i := rapid.IntRange(0, z.N-1).Draw(t, "row"); i > 0 {
				near[i] += 2 * rapid.IntRange(-2, 2).Draw(t, "aside")
			}
			out = append(out, q, near)
		}
	}
	return out
}

// within draws a point of a zone, row after row; false when a range is beyond the horizon.
// It rests on the closure: what a row may be, when the rows before it are chosen, is what
// the bounds between them say.
func within(t *rapid.T, z Zone) (point, bool) {
	p := make(point, z.N)
	for i := 1; i < z.N; i++ {
		var at []int
		for x := -horizon; x <= horizon; x += 2 {
			p[i] = x
			fits := true
			for j := range i {
				fits = fits && z.At(i, j).has(x-p[j]) && z.At(j, i).has(p[j]-x)
			}
			if fits {
				at = append(at, x)
			}
		}
		if len(at) == 0 {
			return nil, false
		}
		p[i] = rapid.SampledFrom(at).Draw(t, "θ")
	}
	return p, true
}

func someBound(t *rapid.T, least, most int) Bound {
	b := Bound(rapid.IntRange(2*least, 2*most+1).Draw(t, "bound"))
	if rapid.IntRange(0, 9).Draw(t, "none") == 0 {
		return None
	}
	return b
}

func someWindow(t *rapid.T) (lower, upper Bound) {
	lo := model.Ticks(rapid.IntRange(0, 2).Draw(t, "lo"))
	hi := lo + model.Ticks(rapid.IntRange(0, 2).Draw(t, "hi"))
	w := model.Window{Lo: model.Through(lo), Hi: model.Through(hi)}
	if lo < hi {
		w.Lo.Open, w.Hi.Open = rapid.Bool().Draw(t, "lo open"), rapid.Bool().Draw(t, "hi open")
	}
	if rapid.IntRange(0, 5).Draw(t, "forever") == 0 {
		w.Hi = model.Bound{At: model.Forever, Open: true}
	}
	return Lower(w.Lo), Upper(w.Hi)
}

// row draws one besides now.
func row(t *rapid.T, z Zone, label string) int { return rapid.IntRange(1, z.N-1).Draw(t, label) }

// someUrgent draws rows that force what fires: they are not over, as holds may be.
func someUrgent(t *rapid.T, z Zone) []int {
	var out []int
	for k := 1; k < z.N; k++ {
		if z.At(0, k) <= Zero && rapid.IntRange(0, 3).Draw(t, "urgent") > 0 {
			out = append(out, k)
		}
	}
	return out
}

// move changes a zone at random, checks the change against its meaning on points, and
// reports whether anything is left.
func move(t *rapid.T, z *Zone, most int) bool {
	was := z.Clone()
	var has func(p point) bool // of the points after it
	left := true
	switch rapid.IntRange(0, 5).Draw(t, "move") {
	case 0, 1:
		if z.N == most {
			return true
		}
		lower, upper := someWindow(t)
		z.Add(lower, upper)
		last := z.N - 1
		has = func(p point) bool { return was.has(p[:last]) && lower.has(-p[last]) && upper.has(p[last]) }
	case 2:
		i, j := rapid.IntRange(0, z.N-1).Draw(t, "i"), rapid.IntRange(0, z.N-1).Draw(t, "j")
		if i == j {
			return true
		}
		b := someBound(t, -3, 3)
		left = z.Limit(i, j, b)
		has = func(p point) bool { return was.has(p) && b.has(p[i]-p[j]) }
	case 3:
		if z.N == 1 {
			return true
		}
		f, urgent := row(t, *z, "f"), someUrgent(t, *z)
		if z.At(0, f) > Zero {
			return true // it may be over, as holds may: no event
		}
		left = z.Fire(f, urgent)
		has = func(p point) bool {
			return p[f] == 0 && sometime(was, p, func(q point) bool { return !q.before(f, urgent) })
		}
	case 4:
		urgent := someUrgent(t, *z)
		z.Pass(urgent)
		has = func(p point) bool {
			return !p.before(0, urgent) && sometime(was, p, func(point) bool { return true })
		}
	case 5:
		if z.N == 1 {
			return true
		}
		gone := row(t, *z, "gone")
		z.Drop(gone)
		has = func(p point) bool { return dropped(was, p, gone) }
	}
	if !left {
		if p, ok := findPoint(t, was, has); ok {
			t.Fatalf("nothing is left of %v, but the point %v is", was, p)
		}
		return false
	}
	mustBeClosed(t, *z)
	for _, p := range somePoints(t, *z) {
		if z.has(p) != has(p) {
			t.Fatalf("%v becomes %v: point %v is in it: %v, must be: %v", was, *z, p, z.has(p), has(p))
		}
	}
	return true
}

// findPoint looks for a point among some.
func findPoint(t *rapid.T, z Zone, has func(p point) bool) (point, bool) {
	for _, p := range somePoints(t, z) {
		if has(p) {
			return p, true
		}
	}
	return nil, false
}

// sometime reports whether a point comes about when time passes from a point of z that is
// as wanted.
func sometime(z Zone, p point, wanted func(q point) bool) bool {
	for by := range 3*horizon + 1 {
		if q := p.later(-by); z.has(q) && wanted(q) {
			return true
		}
	}
	return false
}

// dropped reports whether a point has a row more that makes it one of z.
func dropped(z Zone, p point, gone int) bool {
	for x := -3 * horizon; x <= 3*horizon; x++ {
		if z.has(slices.Insert(slices.Clone(p), gone, x)) {
			return true
		}
	}
	return false
}

// mustBeClosed closes a zone by Floyd and Warshall's algorithm, which must change nothing.
func mustBeClosed(t *rapid.T, z Zone) {
	if c, ok := closed(z); !ok || !c.Equal(z) {
		t.Fatalf("%v is not closed: %v, empty %v", z, c, !ok)
	}
}

func closed(z Zone) (Zone, bool) {
	c := z.Clone()
	for k := range c.N {
		for i := range c.N {
			for j := range c.N {
				c.M[i*c.N+j] = min(c.M[i*c.N+j], c.At(i, k).plus(c.At(k, j)))
			}
		}
	}
	for i := range c.N {
		if c.At(i, i) != Zero {
			return c, false
		}
	}
	return c, true
}

// someZone builds one.
func someZone(t *rapid.T, rows, moves int) Zone {
	z := Now()
	for z.N < rows {
		z.Add(someWindow(t))
	}
	for range moves {
		was := z.Clone()
		if !move(t, &z, rows) {
			z = was
		}
	}
	for z.N < rows {
		z.Add(someWindow(t))
	}
	for z.N > rows {
		z.Drop(z.N - 1)
	}
	return z
}

// Each operation makes of a zone just the points that it says, and keeps it closed.
func TestOperations(t *testing.T) { rapid.Check(t, operations) }

func operations(t *rapid.T) {
	z := Now()
	for range rapid.IntRange(1, 8).Draw(t, "moves") {
		if !move(t, &z, 4) {
			return
		}
	}
}

// FuzzOperations lets the fuzzer choose the operations.
func FuzzOperations(f *testing.F) { f.Fuzz(rapid.MakeFuzz(operations)) }
