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

// A side is a group with the memo tables and the sights of its members.
type side struct {
	name    string
	ids     []int
	indexes []int8   // by node and monitor: its index in ids, or -1
	viewed  []int    // indexes in a vector that are viewed for each member
	views   []uint64 // by local state and member: see view; 0: unknown
	marks   []uint64 // by part: see mark; 0: unknown
	sight   []uint64 // by member, of the present state
	order   []int    // members, by rank
	class   []int    // by member: the first member of its class
	swaps   []uint32 // by pair of members: their transposition; 0: unknown
	Tried   int      // maximum number of orders tried for one state

	perms    memo.Table // order of the members, 4 bits each → permutation
	packed   []uint64   // by permutation: the members' images, 4 bits each
	identity uint64     // packed of the identity
	locals   componentMemo
	parts    componentMemo
}

// side returns the side of a group, with empty memo tables.
func (o *Orbits) side(name string) *side {
	s := &side{name: name, Tried: 1, perms: memo.New(), ids: o.Groups.Members(name), indexes: make([]int8, len(o.w.Protos))}
	for i := range s.indexes {
		s.indexes[i] = -1
	}
	for k, id := range s.ids {
		s.indexes[id] = int8(k)
	}
	// Servers are not viewed by each other: there are many, and trying orders breaks ties.
	for i := range o.w.N {
		if name == Clients || s.indexes[i] < 0 {
			s.viewed = append(s.viewed, i)
		}
	}
	for i := o.w.MonitorAt; i < o.w.BudgetAt; i++ {
		s.viewed = append(s.viewed, i)
	}
	s.sight, s.order, s.class = make([]uint64, len(s.ids)), make([]int, len(s.ids)), make([]int, len(s.ids))
	s.swaps = make([]uint32, len(s.ids)*len(s.ids))
	s.locals, s.parts = newComponentMemo(0), newComponentMemo(ofPart)
	for k := range s.ids {
		s.order[k] = k
		s.identity |= uint64(k) << (4 * k)
	}
	if s.packed = []uint64{s.identity}; len(s.ids) > 0 {
		o.permutation(s, s.order) // number 0
	}
	return s
}

// computeSights computes the sights of a side's members in a state, and sorts the members by sight.
func (o *Orbits) computeSights(s *side, v []uint32) {
	w := o.w
	for k, u := range s.ids {
		h := o.view(s, v[u], k)
		if at := w.AppOf[u]; at >= 0 {
			h += fingerprint.Scramble(uint64(v[at]) + 2)
		}
		for _, i := range s.viewed {
			if i != u {
				h += o.view(s, v[i], k)
			}
		}
		s.sight[k], s.order[k], s.class[k] = h, k, k
	}
	for _, id := range v[w.Head:] {
		f := &w.Flats[id]
		if k := s.indexes[f.Slot]; k >= 0 {
			s.sight[k] += o.mark(s, id)
		}
		if f.Kind == component.Kind(model.Deliver) {
			if k := s.indexes[f.From]; k >= 0 {
				s.sight[k] += bits.RotateLeft64(o.mark(s, id), 32)
			}
		}
	}
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(s.sight[a], s.sight[b]) })
}

// salt returns a number for the position of a slot relative to a member: the member's own slot, a slot of a
// permuted group, or another slot.
func (o *Orbits) salt(s *side, slot, k int) uint64 {
	switch {
	case slot == s.ids[k]:
		return 1
	case s == o.Clients && o.Servers.indexes[slot] >= 0:
		return 2
	case s.indexes[slot] >= 0:
		return 3
	}
	return uint64(4 + slot)
}

// mask returns the renaming of the k-th member of a side to the first member, and of all other members to the
// second. For a client it also renames all servers to the first server.
func (o *Orbits) mask(s *side, k int) value.Renaming {
	r := o.Groups.Identity()
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

// view returns a hash of what a local state contains about a member; 0 for a node that is down. It depends on
// the slot of the local state, so that views can be summed.
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

// mark returns a hash of a part, with the group masked.
func (o *Orbits) mark(s *side, id uint32) uint64 {
	if int(id) >= len(s.marks) {
		s.marks = append(s.marks, make([]uint64, int(id)+1-len(s.marks)+len(s.marks)/4)...)
	}
	if s.marks[id] == 0 {
		o.w.Ask(func() { s.marks[id] = fingerprint.Scramble(HashBytes(o.maskedPart(s, id))) | 1 })
	}
	return s.marks[id]
}

func (o *Orbits) maskedPart(s *side, id uint32) []byte {
	e := o.w.Engine
	p := e.Parts.Items[id]
	b := e.Bases.Items[p.Base]
	return fmt.Appendf(nil, "%d %v %d %d %d %d %d %d %x", b.Kind, b.Optional, o.maskedSlot(s, b.Slot), o.maskedSlot(s, b.From), b.Op, b.Pos,
		p.Lo, p.Hi, e.Codec.Any(e.Decoded(b.Value), o.mask(s, -1)))
}

func (o *Orbits) maskedSlot(s *side, slot int16) int16 {
	switch {
	case s.indexes[slot] >= 0:
		return -2
	case s == o.Clients && o.Servers.indexes[slot] >= 0:
		return -3
	}
	return slot
}

// HashBytes returns a fast hash, for comparisons within one search only.
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
