// Package component interns the components of states, and runs handlers on them.
//
// Everything in a global state is an interned component: the state of a node or monitor, a pending event with
// its remaining window, a hold with its remaining time. Each component is stored once and numbered, and a
// global state is a short vector of such numbers. A handler's result depends only on the node's state, the
// event, its choices and the answers of Held. A [Store] runs the handler on every branch of these; package step
// memoizes the outcomes for each pair of local state and event.
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

// An Intern numbers distinct keys from 0, in order of arrival.
type Intern[K comparable] struct {
	ids   map[K]uint32
	Items []K // by number
}

// NewIntern returns a list that begins with the keys first.
func NewIntern[K comparable](first ...K) Intern[K] {
	t := Intern[K]{ids: map[K]uint32{}}
	for _, k := range first {
		t.Id(k)
	}
	return t
}

// Id returns the number of a key. A new key gets the next number.
func (t *Intern[K]) Id(k K) uint32 {
	if id, ok := t.ids[k]; ok {
		return id
	}
	id := uint32(len(t.Items))
	t.ids[k] = id
	t.Items = append(t.Items, k)
	return id
}

// A local is the state of one node or monitor. Slots number the nodes and, after them, the monitors.
type local struct {
	Slot  int16
	Bytes string
}

// Down is the local state of a node that runs no code: it has crashed or is Byzantine.
const Down uint32 = 0

// A Kind is a [model.EventKind], or a kind of part that only the search has.
type Kind = uint8

const (
	Hold      Kind = 100 + iota // a countdown; it fires nothing
	Delivered                   // a received message that may arrive again after a restart
	Boot                        // the trigger of Start; no part of a state
	Stored                      // the stable state of a node that is down, or nil for its first state
)

// A Base is a pending event or hold without its time.
type Base struct {
	Kind     Kind
	Optional bool   // it need not happen
	Slot     int16  // the node or monitor
	From     int16  // the sender of a message
	Op       int16  // of an Invoke, Return or Release
	Pos      int16  // position in a FIFO channel, from 0
	Value    uint32 // the message, key or call, by number
	Past     uint32 // a message's causal past, by number
}

// Sent reports whether the base is a message, which has a sender.
func (b *Base) Sent() bool {
	return b.Kind == Kind(model.Deliver) || b.Kind == Delivered || b.Kind == Kind(model.Forge)
}

// Endless is the Hi of a window without an end.
const Endless = math.MaxInt32

// A Part is a pending event or hold with its remaining time, in grid steps: the event may fire after Lo and
// must fire by Hi. A part is one component of a state. In dense time Lo and Hi are the [zone.Bound]s at its
// creation. The remaining time is then in the zone, and states hold the part that [Store.Plain] returns.
type Part struct {
	Base   uint32
	Lo, Hi int32
	Coin   bool // chance decides when the event fires: see package step
}

// An Observation is an event that monitors observe, by numbers.
type Observation struct {
	Kind  model.ObservationKind
	Node  int16
	Op    int16
	Value uint32
	Past  uint32
	To    int16 // the receiver of a sent message
	Chain int32
}

// A Store holds every component that a search has met. It has no lock of its own: package step guards it.
type Store struct {
	Sys    *model.System
	Codec  *value.Codec
	Timed  bool // parts have windows: on the grid, or in dense time
	Dense  bool // dense time: the windows of parts are bounds of zones
	Refine Refinement
	Strict Strictness // strict bounds that were met
	Coins  Coins
	Claims []model.Claim
	Sends  bool  // a meter observes sent messages
	Protos []any // a node or monitor for each slot, for its configuration

	Configurations []uint64    // by slot: the configuration's fingerprint
	Running        *guard.Cell // describes the running handler
	argument       uint32      // the running handler's argument
	turn           int         // the order of maps' entries: see [value.Codec.TurnedNode]
	Entries        int         // size of the largest map passed to a handler since the last reset
	leftovers

	// The components, by number.
	Locals Intern[local]
	Values Intern[string]
	Bases  Intern[Base]
	Parts  Intern[Part]
	Seen   Intern[Observation]
	pasts  Intern[string]

	Flats       []Flat              // by part
	Triggers    []uint32            // by base: the base under which results are memoized
	LocalPrints []fingerprint.Print // by local state
	PastPrints  []fingerprint.Print // by causal past
}

// A Flat holds the fields of a [Part] and of its [Base] that the search reads, its trigger and its fingerprint.
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

// InChannel reports whether the part is a message in a channel. Messages that may arrive again after a restart
// are not in the channel.
func (f *Flat) InChannel(from, to int16) bool {
	return f.Kind == Kind(model.Deliver) && !f.Optional && f.Slot == to && f.From == from
}

// Results of [Store.Ticked] that are no part.
const (
	Gone    uint32 = 0                  // the part is removed
	Blocked uint32 = math.MaxUint32 - 1 // the event must fire before time passes
)

// NewStore returns a store that holds only the null components, with number 0.
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

// Local returns the number of a node's or monitor's state.
func (st *Store) Local(slot int16, bytes []byte) uint32 {
	id := st.Locals.Id(local{slot, string(bytes)})
	if int(id) == len(st.LocalPrints) {
		st.LocalPrints = append(st.LocalPrints, LocalPrint(slot, bytes))
	}
	return id
}

// LocalPrint returns the fingerprint of a node's or monitor's state.
func LocalPrint(slot int16, bytes []byte) fingerprint.Print {
	return fingerprint.Of(append([]byte{'L', byte(slot), byte(slot >> 8)}, bytes...))
}

// Value returns the number of a message, a key, a call, a label or a result.
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

// Base returns the number of a base.
func (st *Store) Base(b Base) uint32 {
	id := st.Bases.Id(b)
	if int(id) == len(st.Triggers) {
		st.Triggers = append(st.Triggers, id)
		b.Optional, b.Pos, b.Past = false, 0, 0
		st.Triggers[id] = st.Base(b)
	}
	return id
}

// Part returns the number of a part. In an untimed search its window is ignored.
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

// Pending returns the part of an event that is created now with a window.
func (st *Store) Pending(b uint32, w model.Window) uint32 {
	if st.Dense {
		return st.Part(Part{Base: b, Lo: int32(zone.Lower(inZone(w.Lo))), Hi: int32(zone.Upper(inZone(w.Hi)))})
	}
	if w.Coin && st.Coins.Tossed {
		return st.coinPart(b, w)
	}
	st.Strict.window(w)
	p := Part{Base: b, Lo: st.Refine.ticks(w.Lo, 1), Hi: Endless}
	if w.Hi.At != model.Forever {
		p.Hi = st.Refine.ticks(w.Hi, -1)
	}
	return st.Part(p)
}

// holdPart returns the part of a hold that is set now.
func (st *Store) holdPart(b uint32, d model.Bound) uint32 {
	if st.Dense {
		return st.Part(Part{Base: b, Lo: int32(zone.AtMost(-inZone(d).At)), Hi: int32(zone.Upper(d))})
	}
	st.Strict.hold(b, d)
	return st.Part(Part{Base: b, Hi: st.Refine.ticks(d, -1)})
}

// inZone returns a bound. It refuses a bound beyond [zone.MaxTicks].
func inZone(b model.Bound) model.Bound {
	if b.At != model.Forever && b.At > zone.MaxTicks {
		model.Refuse("a bound of %d ticks is set, but dense time counts to %d", b.At, zone.MaxTicks)
	}
	return b
}

// Plain returns the part as states in dense time hold it: an event without its window, a hold with only its
// length.
func (st *Store) Plain(id uint32) uint32 {
	p := st.Parts.Items[id]
	p.Lo = 0
	if st.Bases.Items[p.Base].Kind != Hold {
		p.Hi = Endless
	}
	return st.Part(p)
}

// Ticked returns the part one grid step later, or Gone or Blocked.
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

// With returns the part with a changed base and the same time.
func (st *Store) With(id uint32, change func(*Base)) uint32 {
	p := st.Parts.Items[id]
	b := st.Bases.Items[p.Base]
	change(&b)
	p.Base = st.Base(b)
	return st.Part(p)
}
