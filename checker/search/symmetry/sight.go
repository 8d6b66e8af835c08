package symmetry

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/memo"
	"contend/model"
	"contend/model/value"
)

// A side is a group with what was seen of its members.
type side struct {
	name   string
	ids    []int
	of     []int8   // of each node and monitor, its place in the group, or -1
	others []int    // places in a vector that are asked about each member, its own apart
	views  []uint64 // of locals and members: fingerprint of what the one says of the other; 0: unknown
	marks  []uint64 // of parts: fingerprint with the group masked; 0: unknown
	sight  []uint64 // of each member of the present state
	order  []int    // members, by rank
	class  []int    // of each member, one that it can be exchanged with: itself, or what findClasses found
	swaps  []uint32 // of pairs of members: the permutation that exchanges them; 0: unknown
	Tried  int      // most orders tried for one state

	perms    memo.Table // an order of the members, 4 bits each → permutation
	packed   []uint64   // of permutations: where each member goes, 4 bits each
	straight uint64     // the same of the identity
	locals   kinds
	parts    kinds
}

// side makes a side of a group.
func (o *Orbits) side(name string) *side {
	s := &side{name: name, Tried: 1, perms: memo.New(), ids: o.sym.Members(name), of: make([]int8, len(o.w.Protos))}
	for i := range s.of {
		s.of[i] = -1
	}
	for k, id := range s.ids {
		s.of[id] = int8(k)
	}
	// Servers are not asked about each other: there are many, and ties are broken otherwise.
	for i := range o.w.N {
		if name == Clients || s.of[i] < 0 {
			s.others = append(s.others, i)
		}
	}
	for i := o.w.MonitorAt; i < o.w.BudgetAt; i++ {
		s.others = append(s.others, i)
	}
	s.sight, s.order, s.class = make([]uint64, len(s.ids)), make([]int, len(s.ids)), make([]int, len(s.ids))
	s.swaps = make([]uint32, len(s.ids)*len(s.ids))
	s.locals, s.parts = newKinds(0), newKinds(ofPart)
	for k := range s.ids {
		s.order[k] = k
		s.straight |= uint64(k) << (4 * k)
	}
	if s.packed = []uint64{s.straight}; len(s.ids) > 0 {
		o.permutation(s, s.order) // number 0
	}
	return s
}

// look finds what a state shows of each member of a side, and sorts them by it.
func (o *Orbits) look(s *side, v []uint32) {
	w := o.w
	for k, u := range s.ids {
		h := o.view(s, v[u], k)
		if at := w.AppOf[u]; at >= 0 {
			h += fingerprint.Scramble(uint64(v[at]) + 2)
		}
		for _, i := range s.others {
			if i != u {
				h += o.view(s, v[i], k)
			}
		}
		s.sight[k], s.order[k], s.class[k] = h, k, k
	}
	for _, id := range v[w.Head:] {
		f := &w.Flats[id]
		if k := s.of[f.Slot]; k >= 0 {
			s.sight[k] += o.mark(s, id)
		}
		if f.Kind == component.Kind(model.Deliver) {
			if k := s.of[f.From]; k >= 0 {
				s.sight[k] += bits.RotateLeft64(o.mark(s, id), 32)
			}
		}
	}
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(s.sight[a], s.sight[b]) })
}

// salt tells places apart when one looks at a member of a side: the member's own, the
// others by their number, or, where that may change, by their group.
func (o *Orbits) salt(s *side, slot, k int) uint64 {
	switch {
	case slot == s.ids[k]:
		return 1
	case s == o.Clients && o.Servers.of[slot] >= 0:
		return 2
	case s.of[slot] >= 0:
		return 3
	}
	return uint64(4 + slot)
}

// mask renames the k-th member of a side to the first and its others to the second; for
// a client, all servers too.
func (o *Orbits) mask(s *side, k int) value.Renaming {
	r := o.sym.Identity()
	for _, u := range s.ids {
		r[u] = model.NodeID(s.ids[1])
	}
	if k >= 0 {
		r[s.ids[k]] = model.NodeID(s.ids[0])
	}
	if s == o.Clients {
		for _, u := range o.Servers.ids {
			r[u] = model.NodeID(o.Servers.ids[0])
		}
	}
	return r
}

// view is what a local state says of a member: a fingerprint, scrambled with the place
// of the state, so that views can be added up. That of a node which is down is 0.
func (o *Orbits) view(s *side, state uint32, k int) uint64 {
	if state == component.Down {
		return 0
	}
	at := int(state)*len(s.ids) + k
	if at >= len(s.views) {
		s.views = append(s.views, make([]uint64, at+1-len(s.views)+len(s.views)/4)...)
	}
	if s.views[at] == 0 {
		n, slot := o.decoded(state)
		s.views[at] = fingerprint.Scramble(HashBytes(o.w.Codec.Node(n, o.mask(s, k)))+o.salt(s, int(slot), k)) | 1
	}
	return s.views[at]
}

// mark is a fingerprint of a part that belongs to a member, the group masked.
func (o *Orbits) mark(s *side, id uint32) uint64 {
	if int(id) >= len(s.marks) {
		s.marks = append(s.marks, make([]uint64, int(id)+1-len(s.marks)+len(s.marks)/4)...)
	}
	if s.marks[id] == 0 {
		o.w.Ask(func() { s.marks[id] = fingerprint.Scramble(HashBytes(o.masked(s, id))) | 1 })
	}
	return s.marks[id]
}

func (o *Orbits) masked(s *side, id uint32) []byte {
	e := o.w.Engine
	p := e.Parts.Items[id]
	b := e.Bases.Items[p.Base]
	return fmt.Appendf(nil, "%d %v %d %d %d %d %d %d %x", b.Kind, b.Optional, o.maskedSlot(s, b.Slot), o.maskedSlot(s, b.From), b.Op, b.Pos,
		p.Lo, p.Hi, e.Codec.Any(e.Decoded(b.Value), o.mask(s, -1)))
}

func (o *Orbits) maskedSlot(s *side, slot int16) int16 {
	switch {
	case s.of[slot] >= 0:
		return -2
	case s == o.Clients && o.Servers.of[slot] >= 0:
		return -3
	}
	return slot
}

// HashBytes is a quick hash, for what is compared within one search only.
func HashBytes(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for len(b) >= 8 {
		h = fingerprint.Scramble(h ^ binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return fingerprint.Scramble(h)
}
