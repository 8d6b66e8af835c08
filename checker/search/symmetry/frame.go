package symmetry

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
)

// A Frame is a state as its orbit has it: renamed so that its print is the least, with its
// parts in the order of their prints. Zones of equal states can be compared there.
type Frame struct {
	Key   fingerprint.Print // the name of the orbit
	V     []uint32          // the state, renamed
	Order []int             // of the rows: row k of the frame is row Order[k] of the state
}

// A Framer puts states into their frames.
type Framer struct {
	W      *step.Worker // whose states they are
	Orbits *Orbits      // nil when symmetry is off
	frame  Frame
	parts  []uint32 // for arrange
}

// Framed returns the frame of a state whose print is known; it lasts until the next is
// asked for.
func (m *Framer) Framed(v []uint32, sum fingerprint.Print) *Frame {
	f := &m.frame
	f.Key = sum
	f.V = append(f.V[:0], v...)
	if o := m.Orbits; o != nil {
		key, byClients, byServers := o.frame(v, sum)
		f.Key = fingerprint.Print{A: fingerprint.Scramble(key.A), B: fingerprint.Scramble(key.B)}
		o.renameHere(o.Clients, &f.V, byClients)
		o.renameHere(o.Servers, &f.V, byServers)
	}
	m.arrange(f)
	return f
}

// renameHere renames the members of a side in a state, in its place.
func (o *Orbits) renameHere(s *side, v *[]uint32, p uint32) {
	if p != 0 {
		o.rename(s, *v, p)
		*v = append((*v)[:0], o.scratch...)
	}
}

// arrange puts the parts of a frame into order.
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

// frame returns the least print of a state in its orbit, and by which renamings of
// clients and, after them, servers it comes about.
func (o *Orbits) frame(v []uint32, sum fingerprint.Print) (least fingerprint.Print, byClients, byServers uint32) {
	if o.keepsClients(v) {
		least, byServers = o.serverFrame(v, sum)
		return least, 0, byServers
	}
	first := true
	o.look(o.Clients, v)
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
	o.look(s, v)
	o.findClasses(s, v, sum)
	first := true
	s.orders(func(order []int) {
		p := o.permutation(s, order)
		if k := o.under(s, v, sum, p); first || k.Less(least) {
			first, least, by = false, k, p
		}
	})
	return least, by
}

// EveryFrame hands all frames of a state to try, until one will do: a state that comes about
// from itself by renaming has several, which differ in the order of rows alone.
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

// renamings hands a state to each, renamed by every order of a side's members by rank.
func (o *Orbits) renamings(s *side, v []uint32, each func(u []uint32)) {
	if len(s.ids) == 0 {
		each(v)
		return
	}
	o.look(s, v)
	s.orders(func(order []int) {
		o.rename(s, v, o.permutation(s, order))
		each(slices.Clone(o.scratch))
	})
}

// Exchanges returns row orders under which the zones of a framed state are those of the
// same state: of parts that are equal, and of servers that can be exchanged without
// changing the state. They generate a group.
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
	o.look(s, v)
	for from := 0; from < len(s.order); {
		to := s.tieEnd(from)
		for k := from; k+1 < to; k++ {
			if p := o.transposition(s, s.order[k], s.order[k+1]); o.under(s, v, sum, p) == sum {
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

// rowsUnder returns where each row goes when nodes are renamed and the state stays.
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
