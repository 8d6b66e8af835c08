// Package component holds what states are made of, and runs handlers on it.
//
// Everything in a global state is an interned component: the state of a node or of a monitor, a
// pending event with what is left of its window, a hold with what is left of it. Each is stored
// once and named by a small integer, and a global state is a short vector of such integers. A
// handler's result depends only on the node's state, the event, its choices and the answers of
// Held, so it is computed once for each distinct pair: a [Store] runs the handler over every
// branch of its choices. Whoever asks remembers the answer.
package component

import (
	"encoding/binary"
	"math"

	"contend/checker/search/fingerprint"
	"contend/checker/zone"
	"contend/model"
	"contend/model/guard"
	"contend/model/value"
)

// Intern names distinct keys by small integers, in the order they come.
type Intern[K comparable] struct {
	ids   map[K]uint32
	Items []K // by number
}

// NewIntern makes a list that begins with some keys.
func NewIntern[K comparable](first ...K) Intern[K] {
	t := Intern[K]{ids: map[K]uint32{}}
	for _, k := range first {
		t.Id(k)
	}
	return t
}

// Id returns the number of a key, a new one if it was not met before.
func (t *Intern[K]) Id(k K) uint32 {
	if id, ok := t.ids[k]; ok {
		return id
	}
	id := uint32(len(t.Items))
	t.ids[k] = id
	t.Items = append(t.Items, k)
	return id
}

// A local is the state of one node or monitor. Slots number the nodes and, after
// them, the monitors.
type local struct {
	Slot  int16
	Bytes string
}

// Down is the local state of a node that runs no code: it crashed or is Byzantine.
const Down uint32 = 0

// Kind extends [model.EventKind] by what only the search keeps in its bag.
type Kind = uint8

const (
	Hold      Kind = 100 + iota // a countdown; it fires nothing
	Delivered                   // a message that a node which comes back may receive again
	Boot                        // not in the bag: the trigger of Start
	Stored                      // how a node that is down comes back: its state, or nil if it is as it was made
)

// A Base is a pending event or hold without its time.
type Base struct {
	Kind     Kind
	Optional bool   // it need not happen
	Slot     int16  // where it happens
	From     int16  // the sender of a message
	Op       int16  // of an Invoke, Return or Release
	Pos      int16  // place in a FIFO channel
	Value    uint32 // the message, key or call, by number
	Past     uint32 // causal past of a message, by number
}

// Sent reports whether the base is a message, which has a sender.
func (b *Base) Sent() bool {
	return b.Kind == Kind(model.Deliver) || b.Kind == Delivered || b.Kind == Kind(model.Forge)
}

// Endless marks a window without an end.
const Endless = math.MaxInt32

// A Part is a pending event or hold with what is left of its time, in ticks: Lo
// until it may fire, Hi until it must have. A part is one component of a state. In dense
// time Lo and Hi are the [zone.Bound]s that it is created with; what is left is in the
// zone, and the part in a state is as [Store.Plain] returns it.
type Part struct {
	Base   uint32
	Lo, Hi int32
	Coin   bool // chance decides when it fires, and has not done so: see package step
}

// An Observation is what monitors are told.
type Observation struct {
	Kind  model.ObservationKind
	Node  int16
	Op    int16
	Value uint32
	Past  uint32
	To    int16 // the receiver of a message that is sent
	Chain int32
}

// Store holds every component that was ever met.
type Store struct {
	Sys    *model.System
	Codec  *value.Codec
	Timed  bool // windows are kept: on the grid, or in dense time
	Dense  bool // time is real: the windows of parts are bounds of zones
	Refine Refinement
	Strict Strictness // strict bounds that were met
	Coins  Coins
	Claims []model.Claim
	Sends  bool  // a meter is told of what is sent
	Protos []any // a node or monitor for each slot, for its configuration

	Configurations []uint64    // of the slots: their fingerprints
	Running        *guard.Cell // shows the handler that runs
	given          uint32      // the value that the handler is given
	turn           int         // in which handlers' maps are made: see [value.Codec.TurnedNode]
	Entries        int         // of the largest map that a handler was given since it was last zero
	leftovers

	// The components, by number.
	Locals Intern[local]
	Values Intern[string]
	Bases  Intern[Base]
	Parts  Intern[Part]
	Seen   Intern[Observation]
	pasts  Intern[string]

	Flats       []Flat              // of parts, by id
	Triggers    []uint32            // of bases, by id: the base that handlers are cached under
	LocalPrints []fingerprint.Print // of local states, by id
	PastPrints  []fingerprint.Print // of causal pasts, by id
}

// Flat is what the search reads of a part: the fields of [Part] and its [Base], the trigger that
// handlers are cached under, and the print.
type Flat struct {
	Kind     Kind
	Optional bool
	Slot     int16
	From     int16
	Pos      int16
	Base     uint32
	Trigger  uint32
	Lo, Hi   int32
	Coin     bool
	Print    fingerprint.Print
}

// InChannel reports whether the part is a message in a channel: those that may arrive once
// more after a restart stand outside.
func (f *Flat) InChannel(from, to int16) bool {
	return f.Kind == Kind(model.Deliver) && !f.Optional && f.Slot == to && f.From == from
}

// What a tick makes of a part, besides another part.
const (
	Gone    uint32 = 0                  // it is no more
	Blocked uint32 = math.MaxUint32 - 1 // time cannot go on without it
)

// NewStore makes a store that holds nothing yet but the components with number 0, which are none.
func NewStore(s *model.System, codec *value.Codec, claims []model.Claim, timed bool, refine Refinement) *Store {
	st := &Store{
		Sys: s, Codec: codec, Timed: timed, Refine: refine, Claims: claims,
		Locals: NewIntern(local{Slot: -1}), Values: NewIntern[string](), Seen: NewIntern[Observation](),
		pasts: NewIntern(string(make([]byte, 0))), Bases: NewIntern(Base{Slot: -1}), Parts: NewIntern(Part{}),
		leftovers: leftovers{counts: map[int16]*guard.Census{}},
	}
	for _, c := range claims {
		st.Sends = st.Sends || c.Cost != nil && c.Cost.Sends
	}
	st.Flats, st.Triggers = []Flat{{}}, []uint32{0}
	st.LocalPrints, st.PastPrints = []fingerprint.Print{{}}, []fingerprint.Print{{}}
	return st
}

// Local returns the id of a node's or monitor's state.
func (st *Store) Local(slot int16, bytes []byte) uint32 {
	id := st.Locals.Id(local{slot, string(bytes)})
	if int(id) == len(st.LocalPrints) {
		st.LocalPrints = append(st.LocalPrints, LocalPrint(slot, bytes))
	}
	return id
}

// LocalPrint is the print of a node's or monitor's state.
func LocalPrint(slot int16, bytes []byte) fingerprint.Print {
	return fingerprint.Of(append([]byte{'L', byte(slot), byte(slot >> 8)}, bytes...))
}

// Value returns the id of a message, a key, a call, a label or a result.
func (st *Store) Value(v any) uint32 { return st.Values.Id(string(st.Codec.Any(v, nil))) }

// Decoded returns a fresh copy of an interned value.
func (st *Store) Decoded(id uint32) any {
	v, entries := st.Codec.TurnedAny([]byte(st.Values.Items[id]), st.turn)
	st.Entries = max(st.Entries, entries)
	return v
}

// node returns a fresh node or monitor in an interned state.
func (st *Store) node(slot int16, id uint32) model.Node {
	n, entries := st.Codec.TurnedNode(st.Protos[slot], []byte(st.Locals.Items[id].Bytes), st.turn)
	st.Entries = max(st.Entries, entries)
	return n
}

// Base returns the id of a base.
func (st *Store) Base(b Base) uint32 {
	id := st.Bases.Id(b)
	if int(id) == len(st.Triggers) {
		st.Triggers = append(st.Triggers, id)
		b.Optional, b.Pos, b.Past = false, 0, 0
		st.Triggers[id] = st.Base(b)
	}
	return id
}

// Part returns the id of a part. Untimed it has no window.
func (st *Store) Part(p Part) uint32 {
	if !st.Timed {
		p.Lo, p.Hi = 0, Endless
	}
	id := st.Parts.Id(p)
	if int(id) == len(st.Flats) {
		b := st.Bases.Items[p.Base]
		st.Flats = append(st.Flats, Flat{b.Kind, b.Optional, b.Slot, b.From, b.Pos, p.Base, st.Triggers[p.Base], p.Lo, p.Hi, p.Coin, st.partPrint(p, b)})
	}
	return id
}

func (st *Store) partPrint(p Part, b Base) fingerprint.Print {
	text := []byte{'P', b.Kind, 0}
	if b.Optional {
		text[2] = 1
	}
	for _, n := range []int64{int64(b.Slot), int64(b.From), int64(b.Op), int64(b.Pos), int64(p.Lo), int64(p.Hi)} {
		text = binary.AppendVarint(text, n)
	}
	text = append(text, st.pasts.Items[b.Past]...)
	text = append(text, st.Values.Items[b.Value]...)
	if p.Coin {
		text[0] = 'C'
	}
	return fingerprint.Of(text)
}

// Pending returns the part of an event that is created now.
func (st *Store) Pending(b uint32, w model.Window) uint32 {
	if st.Dense {
		return st.Part(Part{Base: b, Lo: int32(zone.Lower(inZone(w.Lo))), Hi: int32(zone.Upper(inZone(w.Hi)))})
	}
	if w.Coin && st.Coins.Tossed {
		return st.tossed(b, w)
	}
	st.Strict.window(w)
	p := Part{Base: b, Lo: st.Refine.ticks(w.Lo, 1), Hi: Endless}
	if w.Hi.At != model.Forever {
		p.Hi = st.Refine.ticks(w.Hi, -1)
	}
	return st.Part(p)
}

// holding returns the part of a hold that is set now.
func (st *Store) holding(b uint32, d model.Bound) uint32 {
	if st.Dense {
		return st.Part(Part{Base: b, Lo: int32(zone.AtMost(-inZone(d).At)), Hi: int32(zone.Upper(d))})
	}
	st.Strict.hold(b, d)
	return st.Part(Part{Base: b, Hi: st.Refine.ticks(d, -1)})
}

// inZone returns a bound that zones can count with.
func inZone(b model.Bound) model.Bound {
	if b.At != model.Forever && b.At > zone.MaxTicks {
		model.Refuse("a bound of %d ticks is set, but dense time counts to %d", b.At, zone.MaxTicks)
	}
	return b
}

// Plain returns the part as a state of dense time has it: an event without its window,
// and a hold with its length alone.
func (st *Store) Plain(id uint32) uint32 {
	p := st.Parts.Items[id]
	p.Lo = 0
	if st.Bases.Items[p.Base].Kind != Hold {
		p.Hi = Endless
	}
	return st.Part(p)
}

// Ticked returns the part a tick later.
func (st *Store) Ticked(id uint32) uint32 {
	p, b := st.Parts.Items[id], st.Bases.Items[st.Parts.Items[id].Base]
	if p.Hi == 0 {
		if b.Kind == Hold || b.Kind == Delivered || b.Optional {
			return Gone
		}
		return Blocked
	}
	if p.Hi != Endless {
		p.Hi--
	}
	p.Lo = max(0, p.Lo-1)
	return st.Part(p)
}

// With returns the part with another base and the same time.
func (st *Store) With(id uint32, change func(*Base)) uint32 {
	p := st.Parts.Items[id]
	b := st.Bases.Items[p.Base]
	change(&b)
	p.Base = st.Base(b)
	return st.Part(p)
}
