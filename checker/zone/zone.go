package zone

import "slices"

// A Zone is a set of points described by bounds on differences: M[i·N+j] bounds θᵢ − θⱼ. θ₀ is 0, the
// present. The other rows are the remaining times of pending events and holds; a hold's may be negative. The
// matrix is closed: each bound is the least that the others imply, so that equal sets have equal matrices. A
// zone is not empty. An operation whose result is empty returns false; then the zone is invalid.
type Zone struct {
	N int // number of rows, with the row of the present
	M []Bound
}

// Now returns the zone without events.
func Now() Zone { return Zone{1, []Bound{Zero}} }

// At returns the bound on θᵢ − θⱼ.
func (z Zone) At(i, j int) Bound { return z.M[i*z.N+j] }

// Set makes z equal to y, reusing z's memory.
func (z *Zone) Set(y Zone) { z.N, z.M = y.N, append(z.M[:0], y.M...) }

// Clone returns a copy.
func (z Zone) Clone() Zone { return Zone{z.N, slices.Clone(z.M)} }

// Equal reports whether two zones are equal sets.
func (z Zone) Equal(y Zone) bool { return slices.Equal(z.M, y.M) }

// Add appends a row: an event that fires within lower and upper from now. Lower bounds the negated time: see
// [Lower].
func (z *Zone) Add(lower, upper Bound) {
	n := z.N
	z.M = append(z.M, make([]Bound, 2*n+1)...)
	for i := n - 1; i > 0; i-- {
		copy(z.M[i*(n+1):i*(n+1)+n], z.M[i*n:(i+1)*n])
	}
	z.N = n + 1
	last := z.M[n*(n+1):]
	for j := range n {
		last[j] = upper.plus(z.M[j])              // θₙ − 0 + 0 − θⱼ
		z.M[j*(n+1)+n] = z.M[j*(n+1)].plus(lower) // θⱼ − 0 + 0 − θₙ
	}
	last[n] = Zero
}

// Drop removes a row. The other bounds already imply its effect on them.
func (z *Zone) Drop(row int) {
	n, to := z.N, 0
	for i := range n {
		if i == row {
			continue
		}
		for j := range n {
			if j != row {
				z.M[to] = z.M[i*n+j]
				to++
			}
		}
	}
	z.N, z.M = n-1, z.M[:to]
}

// Arrange sets z to a selection of y's rows: row k of z is row order[k] of y. Order[0] must be 0.
func (z *Zone) Arrange(y Zone, order []int) {
	n := len(order)
	z.N = n
	z.M = slices.Grow(z.M[:0], n*n)[:n*n]
	for i, from := range order {
		row := y.M[from*y.N : (from+1)*y.N]
		for j, at := range order {
			z.M[i*n+j] = row[at]
		}
	}
}

// Limit adds the bound b on θᵢ − θⱼ. It returns false if the result is empty.
func (z Zone) Limit(i, j int, b Bound) bool {
	n := z.N
	if b >= z.M[i*n+j] {
		return true
	}
	if b.plus(z.M[j*n+i]) < Zero {
		return false
	}
	z.M[i*n+j] = b
	to := z.M[j*n : j*n+n]
	for k := range n {
		via := z.M[k*n+i].plus(b)
		if via == None {
			continue
		}
		row := z.M[k*n : k*n+n]
		if via >= row[j] && k != i {
			continue // the new bound shortens no path
		}
		for l, d := range to {
			if s := via.plus(d); s < row[l] {
				row[l] = s
			}
		}
	}
	return true
}

// Fire advances time until the event of row f fires, before which no event of the rows in urgent fires. Row f
// remains, at 0. It returns false if f cannot be the first.
func (z *Zone) Fire(f int, urgent []int) bool {
	for _, k := range urgent {
		if z.M[k*z.N+f] < Zero {
			return false
		}
	}
	z.pass(f, urgent)
	return true
}

// pass advances time to the time of row f.
func (z *Zone) pass(f int, urgent []int) {
	n := z.N
	soonest := make([]Bound, n) // of −θⱼ afterwards: limits of the urgent events
	copy(soonest, z.M[f*n:f*n+n])
	for _, k := range urgent {
		for j, b := range z.M[k*n : k*n+n] {
			soonest[j] = min(soonest[j], b)
		}
	}
	for i := 1; i < n; i++ {
		row := z.M[i*n : i*n+n]
		since := row[f]
		row[0] = since
		for j := 1; j < n; j++ {
			if s := since.plus(soonest[j]); s < row[j] {
				row[j] = s
			}
		}
	}
	copy(z.M[:n], soonest)
	z.M[0] = Zero
	// Row f is the present.
	for j := range n {
		z.M[f*n+j] = z.M[j]
		z.M[j*n+f] = z.M[j*n]
	}
	z.M[f*n+f], z.M[f*n], z.M[f] = Zero, Zero, Zero
}

// Pass advances time by any amount, possibly 0, before any event of the rows in urgent fires.
func (z *Zone) Pass(urgent []int) {
	z.Add(Zero, None)
	z.pass(z.N-1, urgent)
	z.Drop(z.N - 1)
}

// Within reports whether z is a subset of y. Both must have the same rows.
func (z Zone) Within(y Zone) bool {
	for k, b := range z.M {
		if b > y.M[k] {
			return false
		}
	}
	return true
}

// Meet intersects z with y. It returns false if the result is empty.
func (z Zone) Meet(y Zone) bool {
	for i := range z.N {
		for j := range z.N {
			if i != j && !z.Limit(i, j, y.M[i*z.N+j]) {
				return false
			}
		}
	}
	return true
}

// Disjoint reports whether a bound of z contradicts a bound of y. This is a quick test: disjoint zones may
// pass it.
func (z Zone) Disjoint(y Zone) bool {
	n := z.N
	for i := range n {
		for j := range n {
			if z.M[i*n+j].plus(y.M[j*n+i]) < Zero {
				return true
			}
		}
	}
	return false
}

// Hull makes z the least zone that contains both.
func (z Zone) Hull(y Zone) {
	for k, b := range y.M {
		z.M[k] = max(z.M[k], b)
	}
}

// Hash returns a hash of the matrix.
func (z Zone) Hash() uint64 {
	h := uint64(14695981039346656037)
	for _, b := range z.M {
		h = (h ^ uint64(uint32(b))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}
