package component

import (
	"contend/checker/search/fingerprint"
	"contend/model"
	"contend/model/wrapped"
)

// A Saved is the content of a store in a checkpoint, in the order of the numbers.
type Saved struct {
	Values []string
	Bases  [][8]int64
	Parts  [][4]int64
	Slots  []int16
	Locals []string
	Seen   [][7]int64
	Pasts  []string
	Strict Strictness
	// Histories are the histories of [wrapped.Historian]s by slot; nil for other nodes.
	Histories [][]byte
}

// Save returns the content of a store.
func (st *Store) Save() Saved {
	c := Saved{Values: st.Values.Items, Pasts: st.pasts.Items, Strict: st.Strict}
	for _, b := range st.Bases.Items {
		c.Bases = append(c.Bases, [8]int64{int64(b.Kind), bit(b.Optional), int64(b.Slot), int64(b.From), int64(b.Op), int64(b.Pos), int64(b.Value), int64(b.Past)})
	}
	for _, p := range st.Parts.Items {
		c.Parts = append(c.Parts, [4]int64{int64(p.Base), int64(p.Lo), int64(p.Hi), bit(p.Coin)})
	}
	for _, l := range st.Locals.Items {
		c.Slots, c.Locals = append(c.Slots, l.Slot), append(c.Locals, l.Bytes)
	}
	for _, o := range st.Seen.Items {
		c.Seen = append(c.Seen, [7]int64{int64(o.Kind), int64(o.Node), int64(o.Op), int64(o.Value), int64(o.Past), int64(o.To), int64(o.Chain)})
	}
	for _, proto := range st.Protos {
		var h []byte
		if n, is := proto.(wrapped.Historian); is {
			h = n.Histories(st.Codec)
		}
		c.Histories = append(c.Histories, h)
	}
	return c
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func loadedBase(b [8]int64) Base {
	return Base{Kind(b[0]), b[1] == 1, int16(b[2]), int16(b[3]), int16(b[4]), int16(b[5]), uint32(b[6]), uint32(b[7])}
}

// Restore adds every component with its former number. The components of a new store have the same numbers in
// every store.
func (st *Store) Restore(c *Saved) {
	for _, v := range c.Values {
		st.Values.Id(v)
	}
	for _, p := range c.Pasts[len(st.pasts.Items):] {
		st.pasts.Id(p)
		st.PastPrints = append(st.PastPrints, fingerprint.Of(append([]byte{'A'}, p...)))
	}
	for _, b := range c.Bases {
		st.Bases.Id(loadedBase(b))
	}
	for _, b := range st.Bases.Items[len(st.Triggers):] {
		b.Optional, b.Pos, b.Past = false, 0, 0
		st.Triggers = append(st.Triggers, st.Bases.Id(b))
	}
	for _, p := range c.Parts[1:] {
		st.Part(Part{uint32(p[0]), int32(p[1]), int32(p[2]), p[3] == 1})
	}
	for i, l := range c.Locals[1:] {
		st.Local(c.Slots[i+1], []byte(l))
	}
	for _, o := range c.Seen {
		st.Seen.Id(Observation{Kind: model.ObservationKind(o[0]), Node: int16(o[1]), Op: int16(o[2]), Value: uint32(o[3]), Past: uint32(o[4]), To: int16(o[5]), Chain: int32(o[6])})
	}
	st.Strict = c.Strict
	for slot, h := range c.Histories {
		if n, is := st.Protos[slot].(wrapped.Historian); is {
			n.Recall(st.Codec, h)
		}
	}
}
