package quorum

import (
	"math/bits"
	"testing"
)

// Every formula is checked against enumeration for all small systems.
func TestFormulasAgreeWithEnumeration(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for size := 1; size <= n; size++ {
			th := Threshold{n, size}
			sys := th.enumerate()
			if got, want := th.Intersection(), sys.intersection(); got != want {
				t.Errorf("%+v: intersection %d, by enumeration %d", th, got, want)
			}
			for k := 0; k <= n; k++ {
				if got, want := th.Avoids(k), sys.avoids(k); got != want {
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

// Below the least n of the papers there is no quorum system of any kind, not only no threshold system. That
// is, no choice of a quorum for each set of servers to avoid such that any two quorums share enough servers.
// A system for both protocols needs n > 7b.
func TestNoSystemIsBelowTheBound(t *testing.T) {
	both := Condition{Name: "both", Intersect: Backoff.Intersect, Avoid: Ordering.Avoid}
	for _, c := range []struct {
		cond  Condition
		times int
	}{{Backoff, 5}, {Ordering, 6}, {both, 7}} {
		const b = 1
		least := c.times*b + 1
		if got := c.cond.MinServers(b); got != least {
			t.Errorf("%s: least n is %d, want %d", c.cond.Name, got, least)
		}
		if !exists(least, c.cond.Intersect(b), c.cond.Avoid(b)) {
			t.Errorf("%s: no system of %d servers was found", c.cond.Name, least)
		}
		if exists(least-1, c.cond.Intersect(b), c.cond.Avoid(b)) {
			t.Errorf("%s: a system of %d servers was found", c.cond.Name, least-1)
		}
	}
}

// exists reports whether some system over n servers has, for each set of the given size, a quorum that avoids
// it, such that any two quorums share enough servers.
func exists(n, share, avoid int) bool {
	var bad []set
	for s := set(0); s < 1<<n; s++ {
		if bits.OnesCount32(uint32(s)) == avoid {
			bad = append(bad, s)
		}
	}
	return extend(nil, bad, n, share)
}

// extend tries to choose a quorum for each set that is still to be avoided.
func extend(chosen, bad []set, n, share int) bool {
	if len(bad) == 0 {
		return true
	}
	for q := set(1); q < 1<<n; q++ {
		if q&bad[0] == 0 && fits(q, chosen, share) && extend(append(chosen, q), bad[1:], n, share) {
			return true
		}
	}
	return false
}

func fits(q set, chosen []set, share int) bool {
	if bits.OnesCount32(uint32(q)) < share {
		return false
	}
	for _, p := range chosen {
		if bits.OnesCount32(uint32(p&q)) < share {
			return false
		}
	}
	return true
}
