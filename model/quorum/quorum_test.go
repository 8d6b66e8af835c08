package quorum

import "testing"

// Every formula is checked against enumeration for all small systems.
func TestFormulasAgreeWithEnumeration(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for size := 1; size <= n; size++ {
			th := Threshold{n, size}
			sys := th.Enumerate()
			if got, want := th.Intersection(), sys.Intersection(); got != want {
				t.Errorf("%+v: intersection %d, by enumeration %d", th, got, want)
			}
			for k := 0; k <= n; k++ {
				if got, want := th.Avoids(k), sys.Avoids(k); got != want {
					t.Errorf("%+v: avoids %d: %v, by enumeration %v", th, k, got, want)
				}
			}
		}
	}
}

// The papers' bounds, n > 5b and n > 6b, are exactly where a system exists.
func TestPaperBounds(t *testing.T) {
	for _, c := range []struct {
		cond  Condition
		times int
	}{{Backoff, 5}, {Ordering, 6}} {
		for b := 0; b <= 4; b++ {
			if got, want := c.cond.MinServers(b), c.times*b+1; got != want {
				t.Errorf("%s, b=%d: least n is %d, want %d", c.cond.Name, b, got, want)
			}
			for n := 1; n <= 6*b+8; n++ {
				exists := false
				for size := 1; size <= n; size++ {
					exists = exists || c.cond.Check(Threshold{n, size}, b) == nil
				}
				if want := n > c.times*b; exists != want {
					t.Errorf("%s, n=%d, b=%d: a system exists: %v, want %v", c.cond.Name, n, b, exists, want)
				}
				if err := c.cond.Check(c.cond.Smallest(n, b), b); (err == nil) != exists {
					t.Errorf("%s, n=%d, b=%d: the smallest system: %v", c.cond.Name, n, b, err)
				}
			}
		}
	}
}

func TestSmallestIsSmallest(t *testing.T) {
	for n := 1; n <= 12; n++ {
		for b := 0; 5*b < n; b++ {
			th := Backoff.Smallest(n, b)
			if smaller := (Threshold{n, th.Size - 1}); smaller.Intersection() >= Backoff.Intersect(b) {
				t.Errorf("n=%d, b=%d: %+v also intersects enough", n, b, smaller)
			}
		}
	}
}
