package zone

// pieces bounds how many parts a difference may fall into before [Covered] gives up.
const pieces = 400

// A Cover decides whether unions cover zones, in memory that it uses again.
type Cover struct {
	free []Zone
	left []Zone
	next []Zone
}

// Covered reports whether the union of the zones contains z. It may say no when too many
// parts of z would have to be looked at.
func (c *Cover) Covered(z Zone, by []Zone) bool {
	c.left = append(c.left[:0], c.copied(z))
	for _, y := range by {
		c.next = c.next[:0]
		for k, part := range c.left {
			if part.Disjoint(y) {
				c.next = append(c.next, part)
			} else {
				c.subtract(part, y)
			}
			if len(c.next) > pieces {
				c.free = append(append(c.free, c.next...), c.left[k+1:]...)
				c.left, c.next = c.left[:0], c.next[:0]
				return false
			}
		}
		c.left, c.next = c.next, c.left
		if len(c.left) == 0 {
			return true
		}
	}
	c.free = append(c.free, c.left...)
	c.left = c.left[:0]
	return false
}

// subtract adds to next what of part is not in y: for each bound of y in turn the points
// that break it, and none of those before.
func (c *Cover) subtract(part, y Zone) {
	n := part.N
	for i := range n {
		for j := range n {
			b := y.M[i*n+j]
			if b >= part.M[i*n+j] {
				continue
			}
			out := c.copied(part)
			if out.Limit(j, i, b.not()) {
				c.next = append(c.next, out)
			} else {
				c.free = append(c.free, out)
			}
			if !part.Limit(i, j, b) {
				c.free = append(c.free, part)
				return // nothing of it is in y
			}
		}
	}
	c.free = append(c.free, part)
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
