// Package search explores every run of a system within its bounds.
//
// Everything in a global state is an interned component: the state of a node or of
// a monitor, a pending event with what is left of its window, a hold with what is
// left of it. Each is stored once and named by a small integer, and a global state
// is a short vector of such integers. A handler's result depends only on the
// node's state, the event, its choices and the answers of Held, so it is computed
// once for each distinct pair and remembered; the search itself runs on integers.
package search

import (
	"encoding/binary"
	"math"

	"contend/checker/search/fingerprint"
	"contend/checker/zone"
	"contend/model"
	"contend/model/value"
)

// intern names distinct keys by small integers, in the order they come.
type intern[K comparable] struct {
	ids   map[K]uint32
	items []K
}

func newIntern[K comparable](first ...K) intern[K] {
	t := intern[K]{ids: map[K]uint32{}}
	for _, k := range first {
		t.id(k)
	}
	return t
}

func (t *intern[K]) id(k K) uint32 {
	if id, ok := t.ids[k]; ok {
		return id
	}
	id := uint32(len(t.items))
	t.ids[k] = id
	t.items = append(t.items, k)
	return id
}

// A local is the state of one node or monitor. Slots number the nodes and, after
// them, the monitors.
type local struct {
	slot  int16
	bytes string
}

// down is the local state of a node that runs no code: it crashed or is Byzantine.
const down uint32 = 0

// kind extends [model.EventKind] by what only this engine keeps in its bag.
type kind = uint8

const (
	hold      kind = 100 + iota // a countdown; it fires nothing
	delivered                   // a message that a restarted server may receive again
	boot                        // not in the bag: the trigger of Start
)

// A base is a pending event or hold without its time.
type base struct {
	kind     kind
	optional bool
	slot     int16 // where it happens
	from     int16 // the sender of a message
	op       int16 // of an Invoke, Return or Release
	pos      int16 // place in a FIFO channel
	value    uint32
	past     uint32 // causal past of a message
}

// sent reports whether the base is a message, which has a sender.
func (b *base) sent() bool {
	return b.kind == kind(model.Deliver) || b.kind == delivered || b.kind == kind(model.Forge)
}

// endless marks a window without an end.
const endless = math.MaxInt32

// A part is a pending event or hold with what is left of its time, in ticks: lo
// until it may fire, hi until it must have. A part is one component of a state. In dense
// time lo and hi are the [zone.Bound]s that it is created with; what is left is in the
// zone, and the part in a state is a [store.plain] one.
type part struct {
	base   uint32
	lo, hi int32
	coin   bool // chance decides when it fires, and has not done so: see [undecided]
}

// An observation is what monitors are told.
type observation struct {
	kind  model.ObservationKind
	node  int16
	op    int16
	value uint32
	past  uint32
}

// store holds every component that was ever met.
type store struct {
	sys    *model.System
	codec  *value.Codec
	timed  bool
	dense  bool // time is real: the windows of parts are bounds of zones
	refine refinement
	coins  coins
	claims []model.Claim
	protos []any // a node or monitor for each slot, for its configuration

	configurations []uint64 // of the slots: their fingerprints
	turn           int      // in which handlers' maps are made: see [value.Codec.TurnedNode]
	entries        int      // of the largest map that a handler was given since it was last zero

	locals intern[local]
	values intern[string]
	bases  intern[base]
	parts  intern[part]
	seen   intern[observation]
	pasts  intern[string]

	flats       []flat   // of parts, by id
	triggers    []uint32 // of bases, by id: the base that handlers are cached under
	localPrints []print
	pastPrints  []print
}

// flat is what the search reads of a part.
type flat struct {
	kind     kind
	optional bool
	slot     int16
	from     int16
	pos      int16
	base     uint32
	trigger  uint32
	lo, hi   int32
	coin     bool
	print    print
}

// inChannel reports whether the part is a message in a channel: those that may arrive once
// more after a restart stand outside.
func (f *flat) inChannel(from, to int16) bool {
	return f.kind == kind(model.Deliver) && !f.optional && f.slot == to && f.from == from
}

// What a tick makes of a part, besides another part.
const (
	gone    uint32 = 0                  // it is no more
	blocked uint32 = math.MaxUint32 - 1 // time cannot go on without it
)

func newStore(s *model.System, codec *value.Codec, claims []model.Claim, timed bool, refine refinement) *store {
	st := &store{
		sys: s, codec: codec, timed: timed, refine: refine, claims: claims,
		locals: newIntern(local{slot: -1}), values: newIntern[string](), seen: newIntern[observation](),
		pasts: newIntern(string(make([]byte, 0))), bases: newIntern(base{slot: -1}), parts: newIntern(part{}),
	}
	st.flats, st.triggers = []flat{{}}, []uint32{0}
	st.localPrints, st.pastPrints = []print{{}}, []print{{}}
	return st
}

// local returns the id of a node's or monitor's state.
func (st *store) local(slot int16, bytes []byte) uint32 {
	id := st.locals.id(local{slot, string(bytes)})
	if int(id) == len(st.localPrints) {
		st.localPrints = append(st.localPrints, localPrint(slot, bytes))
	}
	return id
}

func localPrint(slot int16, bytes []byte) print {
	return fingerprint.Of(append([]byte{'L', byte(slot), byte(slot >> 8)}, bytes...))
}

func (st *store) value(v any) uint32 { return st.values.id(string(st.codec.Any(v, nil))) }

// decoded returns a fresh copy of an interned value.
func (st *store) decoded(id uint32) any {
	v, entries := st.codec.TurnedAny([]byte(st.values.items[id]), st.turn)
	st.entries = max(st.entries, entries)
	return v
}

// node returns a fresh node or monitor in an interned state.
func (st *store) node(slot int16, id uint32) model.Node {
	n, entries := st.codec.TurnedNode(st.protos[slot], []byte(st.locals.items[id].bytes), st.turn)
	st.entries = max(st.entries, entries)
	return n
}

func (st *store) base(b base) uint32 {
	id := st.bases.id(b)
	if int(id) == len(st.triggers) {
		st.triggers = append(st.triggers, id)
		b.optional, b.pos, b.past = false, 0, 0
		st.triggers[id] = st.base(b)
	}
	return id
}

func (st *store) part(p part) uint32 {
	if !st.timed {
		p.lo, p.hi = 0, endless
	}
	id := st.parts.id(p)
	if int(id) == len(st.flats) {
		b := st.bases.items[p.base]
		st.flats = append(st.flats, flat{b.kind, b.optional, b.slot, b.from, b.pos, p.base, st.triggers[p.base], p.lo, p.hi, p.coin, st.partPrint(p, b)})
	}
	return id
}

func (st *store) partPrint(p part, b base) print {
	text := []byte{'P', b.kind, 0}
	if b.optional {
		text[2] = 1
	}
	for _, n := range []int64{int64(b.slot), int64(b.from), int64(b.op), int64(b.pos), int64(p.lo), int64(p.hi)} {
		text = binary.AppendVarint(text, n)
	}
	text = append(text, st.pasts.items[b.past]...)
	text = append(text, st.values.items[b.value]...)
	if p.coin {
		text[0] = 'C'
	}
	return fingerprint.Of(text)
}

// pending returns the part of an event that is created now.
func (st *store) pending(b uint32, w model.Window) uint32 {
	if st.dense {
		return st.part(part{base: b, lo: int32(zone.Lower(inZone(w.Lo))), hi: int32(zone.Upper(inZone(w.Hi)))})
	}
	if w.Coin && st.coins.tossed {
		return st.tossed(b, w)
	}
	p := part{base: b, lo: st.refine.ticks(w.Lo, 1), hi: endless}
	if w.Hi.At != model.Forever {
		p.hi = st.refine.ticks(w.Hi, -1)
	}
	return st.part(p)
}

// holding returns the part of a hold that is set now.
func (st *store) holding(b uint32, d model.Bound) uint32 {
	if st.dense {
		return st.part(part{base: b, lo: int32(zone.AtMost(-inZone(d).At)), hi: int32(zone.Upper(d))})
	}
	return st.part(part{base: b, hi: st.refine.ticks(d, -1)})
}

// inZone returns a bound that zones can count with.
func inZone(b model.Bound) model.Bound {
	if b.At != model.Forever && b.At > zone.MaxTicks {
		model.Misused("a bound of %d ticks is set, but dense time counts to %d", b.At, zone.MaxTicks)
	}
	return b
}

// plain returns the part as a state of dense time has it: an event without its window,
// and a hold with its length alone.
func (st *store) plain(id uint32) uint32 {
	p := st.parts.items[id]
	p.lo = 0
	if st.bases.items[p.base].kind != hold {
		p.hi = endless
	}
	return st.part(p)
}

// ticked returns the part a tick later.
func (st *store) ticked(id uint32) uint32 {
	p, b := st.parts.items[id], st.bases.items[st.parts.items[id].base]
	if p.hi == 0 {
		if b.kind == hold || b.kind == delivered || b.optional {
			return gone
		}
		return blocked
	}
	if p.hi != endless {
		p.hi--
	}
	p.lo = max(0, p.lo-1)
	return st.part(p)
}

// with returns the part with another base and the same time.
func (st *store) with(id uint32, change func(*base)) uint32 {
	p := st.parts.items[id]
	b := st.bases.items[p.base]
	change(&b)
	p.base = st.base(b)
	return st.part(p)
}
