package zone

// A Cover decides whether unions of zones contain zones. It reuses its memory.
type Cover struct {
	// Effort is the remaining number of comparisons. When it is used up, the answer is false.
	Effort int
	free   []Zone
}

// Covered reports whether the union of the zones contains z. It tries the first zones first.
func (c *Cover) Covered(z Zone, by []Zone) bool { return c.covered(c.copied(z), by) }

// covered splits z along the first zone that intersects it. The intersection is covered. The rest of z is split by the first bound of that zone that a point violates. The later zones must cover each part.
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
				return true // z does not intersect y, and all of z was covered
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
