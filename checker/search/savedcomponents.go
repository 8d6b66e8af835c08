package search

import (
	"contend/checker/search/fingerprint"
	"contend/model"
)

// components are the contents of a store as a checkpoint keeps them: in the order of
// their numbers.
type components struct {
	Values []string
	Bases  [][8]int64
	Parts  [][3]int64
	Slots  []int16
	Locals []string
	Seen   [][5]int64
	Pasts  []string
}

// save returns the contents of a store.
func (st *store) save() components {
	c := components{Values: st.values.items, Pasts: st.pasts.items}
	for _, b := range st.bases.items {
		optional := int64(0)
		if b.optional {
			optional = 1
		}
		c.Bases = append(c.Bases, [8]int64{int64(b.kind), optional, int64(b.slot), int64(b.from), int64(b.op), int64(b.pos), int64(b.value), int64(b.past)})
	}
	for _, p := range st.parts.items {
		c.Parts = append(c.Parts, [3]int64{int64(p.base), int64(p.lo), int64(p.hi)})
	}
	for _, l := range st.locals.items {
		c.Slots, c.Locals = append(c.Slots, l.slot), append(c.Locals, l.bytes)
	}
	for _, o := range st.seen.items {
		c.Seen = append(c.Seen, [5]int64{int64(o.kind), int64(o.node), int64(o.op), int64(o.value), int64(o.past)})
	}
	return c
}

func loadedBase(b [8]int64) base {
	return base{kind(b[0]), b[1] == 1, int16(b[2]), int16(b[3]), int16(b[4]), int16(b[5]), uint32(b[6]), uint32(b[7])}
}

// restore gives every component the number that it had. What a new store holds already
// comes first in any.
func (st *store) restore(c *components) {
	for _, v := range c.Values {
		st.values.id(v)
	}
	for _, p := range c.Pasts[len(st.pasts.items):] {
		st.pasts.id(p)
		st.pastPrints = append(st.pastPrints, fingerprint.Of(append([]byte{'A'}, p...)))
	}
	for _, b := range c.Bases {
		st.bases.id(loadedBase(b))
	}
	for _, b := range st.bases.items[len(st.triggers):] {
		b.optional, b.pos, b.past = false, 0, 0
		st.triggers = append(st.triggers, st.bases.id(b))
	}
	for _, p := range c.Parts[1:] {
		st.part(part{base: uint32(p[0]), lo: int32(p[1]), hi: int32(p[2])})
	}
	for i, l := range c.Locals[1:] {
		st.local(c.Slots[i+1], []byte(l))
	}
	for _, o := range c.Seen {
		st.seen.id(observation{model.ObservationKind(o[0]), int16(o[1]), int16(o[2]), uint32(o[3]), uint32(o[4])})
	}
}
