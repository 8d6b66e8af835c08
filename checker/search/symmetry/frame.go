package symmetry

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
)

// A Frame is the canonical form of a state: renamed so that its fingerprint is the least in its orbit, with its
// parts sorted by fingerprint. Zones of equal frames can be compared.
type Frame struct {
	Key   fingerprint.Print // the orbit's fingerprint
	V     []uint32          // the state, renamed
	Order []int             // row k of the frame is row Order[k] of the state
}

// A Framer computes the frames of a worker's states.
type Framer struct {
	W      *step.Worker
	Orbits *Orbits // nil without symmetry
	frame  Frame
	parts  []uint32 // for arrange
}

// Framed returns the frame of a state with fingerprint sum. The frame is valid until the next call.
func (m *Framer) Framed(v []uint32, sum fingerprint.Print) *Frame {
	f := &m.frame
	f.Key = sum
	f.V = append(f.V[:0], v...)
	if o := m.Orbits; o != nil {
		key, byClients, byServers := o.frame(v, sum)
		f.Key = fingerprint.Print{A: fingerprint.Scramble(key.A), B: fingerprint.Scramble(key.B)}
		o.renameInPlace(o.Clients, &f.V, byClients)
		o.renameInPlace(o.Servers, &f.V, byServers)
	}
	m.arrange(f)
	return f
}

// renameInPlace renames the members of a side in place.
func (o *Orbits) renameInPlace(s *side, v *[]uint32, p uint32) {
	if p != 0 {
		o.rename(s, *v, p)
		*v = append((*v)[:0], o.scratch...)
	}
}

// arrange sorts the parts of a frame by fingerprint, and sets Order.
func (m *Framer) arrange(f *Frame) {
	w := m.W
	parts := f.V[w.Head:]
	f.Order = append(f.Order[:0], 0)
	for k := range parts {
		f.Order = append(f.Order, k+1)
	}
	by := func(id uint32) fingerprint.Print { return w.Flats[id].Print }
	rows := f.Order[1:]
	slices.SortStableFunc(rows, func(a, b int) int {
		p, q := by(parts[a-1]), by(parts[b-1])
		return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
	})
	m.parts = append(m.parts[:0], parts...)
	for k, row := range rows {
		parts[k] = m.parts[row-1]
	}
}

// frame returns the least fingerprint in a state's orbit, and the permutations that lead there: of clients
// first, then of servers.
func (o *Orbits) frame(v []uint32, sum fingerprint.Print) (least fingerprint.Print, byClients, byServers uint32) {
	if o.clientsFixed(v) {
		least, byServers = o.serverFrame(v, sum)
		return least, 0, byServers
	}
	first := true
	o.computeSights(o.Clients, v)
	o.findClasses(o.Clients, v, sum)
	o.Clients.orders(func(order []int) {
		p, u, at := o.permutation(o.Clients, order), v, sum
		if p != 0 {
			o.rename(o.Clients, v, p)
			o.renamed = append(o.renamed[:0], o.scratch...)
			u = o.renamed
			at = o.w.PrintOfState(u)
		}
		if k, s := o.serverFrame(u, at); first || k.Less(least) {
			first, least, byClients, byServers = false, k, p, s
		}
	})
	return least, byClients, byServers
}

func (o *Orbits) serverFrame(v []uint32, sum fingerprint.Print) (least fingerprint.Print, by uint32) {
	s := o.Servers
	if len(s.ids) == 0 {
		return sum, 0
	}
	o.computeSights(s, v)
	o.findClasses(s, v, sum)
	first := true
	s.orders(func(order []int) {
		p := o.permutation(s, order)
		if k := o.printAfter(s, v, sum, p); first || k.Less(least) {
			first, least, by = false, k, p
		}
	})
	return least, by
}

// EveryFrame calls try with each frame of a state until try returns true, and reports whether it did. A state
// with symmetries of its own has several frames, which differ only in the order of rows.
func (m *Framer) EveryFrame(v []uint32, sum fingerprint.Print, try func(f *Frame) bool) bool {
	f := m.Framed(v, sum)
	if try(f) {
		return true
	}
	o := m.Orbits
	if o == nil {
		return false
	}
	key, done := f.Key, false
	o.renamings(o.Clients, v, func(u []uint32) {
		o.renamings(o.Servers, u, func(u []uint32) {
			at := m.W.PrintOfState(u)
			if !done && key == (fingerprint.Print{A: fingerprint.Scramble(at.A), B: fingerprint.Scramble(at.B)}) {
				f.V = append(f.V[:0], u...)
				m.arrange(f)
				done = try(f)
			}
		})
	})
	return done
}

// renamings calls each with a state renamed by each order of a side's members by rank.
func (o *Orbits) renamings(s *side, v []uint32, each func(u []uint32)) {
	if len(s.ids) == 0 {
		each(v)
		return
	}
	o.computeSights(s, v)
	s.orders(func(order []int) {
		o.rename(s, v, o.permutation(s, order))
		each(slices.Clone(o.scratch))
	})
}

// Exchanges returns row orders that leave a framed state unchanged: exchanges of equal parts, and of servers
// that can be exchanged without changing the state. Zones of the state are equivalent under the group that
// these generate.
func (m *Framer) Exchanges(v []uint32) [][]int {
	w := m.W
	var all [][]int
	parts := v[w.Head:]
	for k := 1; k < len(parts); k++ {
		if parts[k] == parts[k-1] {
			order := identityOrder(len(parts) + 1)
			order[k], order[k+1] = k+1, k
			all = append(all, order)
		}
	}
	o := m.Orbits
	if o == nil || len(o.Servers.ids) == 0 {
		return all
	}
	sum := w.PrintOfState(v)
	s := o.Servers
	o.computeSights(s, v)
	for from := 0; from < len(s.order); {
		to := s.tieEnd(from)
		for k := from; k+1 < to; k++ {
			if p := o.transposition(s, s.order[k], s.order[k+1]); o.printAfter(s, v, sum, p) == sum {
				all = append(all, m.rowsUnder(parts, p))
			}
		}
		from = to
	}
	return all
}

func identityOrder(n int) []int {
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	return order
}

// rowsUnder returns the row order of a permutation of servers that leaves the state unchanged.
func (m *Framer) rowsUnder(parts []uint32, p uint32) []int {
	order := identityOrder(len(parts) + 1)
	taken := make([]bool, len(parts))
	for k, id := range parts {
		to := m.Orbits.renamedPart(m.Orbits.Servers, id, p)
		for at, other := range parts {
			if other == to && !taken[at] {
				taken[at], order[at+1] = true, k+1
				break
			}
		}
	}
	return order
}
