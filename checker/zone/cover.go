package zone

// A Cover decides whether unions cover zones, in memory that it uses again.
type Cover struct {
	// Effort is how many parts of zones may still be compared with others. What it is not
	// enough for is said not to be covered.
	Effort int
	free   []Zone
}

// Covered reports whether the union of the zones contains z. It looks first where the
// first of them are.
func (c *Cover) Covered(z Zone, by []Zone) bool { return c.covered(c.copied(z), by) }

// covered takes z apart along the first of the zones that it meets: what is in it is
// covered, and for each of its bounds the points that break it, and none of those before,
// must be by the zones that follow.
func (c *Cover) covered(z Zone, by []Zone) bool {
	defer func() { c.free = append(c.free, z) }()
	for len(by) > 0 && z.Disjoint(by[0]) {
		by = by[1:]
		c.Effort--
	}
	if c.Effort--; len(by) == 0 || c.Effort < 0 {
		return false
	}
	y, n := by[0], z.N
	for i := range n {
		for j := range n {
			b := y.M[i*n+j]
			if b >= z.M[i*n+j] {
				continue
			}
			out := c.copied(z)
			if !out.Limit(j, i, b.not()) {
				c.free = append(c.free, out)
			} else if !c.covered(out, by[1:]) {
				return false
			}
			if !z.Limit(i, j, b) {
				return true // nothing of it is in y, and all of it was covered
			}
		}
	}
	return true
}

func (c *Cover) copied(z Zone) Zone {
	if k := len(c.free) - 1; k >= 0 {
		out := c.free[k]
		c.free = c.free[:k]
		out.Set(z)
		return out
	}
	return z.Clone()
}
