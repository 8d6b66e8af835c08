package search

import (
	"encoding/binary"
	"slices"

	"contend/model"
)

// effects applies a handler's effects in order and then goes on with then; where a
// monitor has several outcomes, once for each.
func (e *engine) effects(v []uint32, slot int16, effects []effect, then func([]uint32)) {
	for i, f := range effects {
		switch f.do {
		case send:
			v = e.send(v, slot, f)
		case arm:
			v = append(e.take(v, f.base), f.part)
		case disarm:
			v = e.take(v, f.base)
		case finish:
			v = e.returns(v, slot, f.arg)
		case note:
			rest := effects[i+1:]
			e.observe(v, e.seenOf(model.Noted, slot, -1, f.arg), func(v []uint32) { e.effects(v, slot, rest, then) })
			return
		}
	}
	then(v)
}

// take removes the part with a base, if it is there.
func (e *engine) take(v []uint32, b uint32) []uint32 {
	for i := e.head; i < len(v); i++ {
		if e.flat[v[i]].base == b {
			return append(v[:i], v[i+1:]...)
		}
	}
	return v
}

// send puts a message into flight, as its channel keeps it.
func (e *engine) send(v []uint32, from int16, f effect) []uint32 {
	b := e.bases.items[f.base]
	if v[b.slot] == down && e.sys.Nodes[b.slot].Role != model.Server {
		return v // nobody is there
	}
	channel := e.sys.Network.Channel
	if channel == model.Bag && e.causal == nil {
		return append(v, f.part)
	}
	if channel == model.Set && slices.ContainsFunc(v[e.head:], func(id uint32) bool {
		return e.trigger[e.flat[id].base] == f.base && e.flat[id].kind == b.kind && !e.bases.items[e.flat[id].base].optional
	}) {
		return v
	}
	pos := int16(0)
	if channel == model.FIFO {
		pos = e.queued(v, b)
	}
	past := uint32(0)
	if e.causal != nil {
		past = v[e.pastAt+int(from)]
	}
	return append(v, e.with(f.part, func(b *base) { b.pos, b.past = pos, past }))
}

// queued counts the messages in flight in the channel of b. Those that may arrive
// once more after a restart stand outside the queue.
func (e *engine) queued(v []uint32, b base) int16 {
	n := int16(0)
	for _, id := range v[e.head:] {
		if o := &e.bases.items[e.flat[id].base]; o.kind == kind(model.Deliver) && !o.optional && o.slot == b.slot && o.from == b.from {
			n++
		}
	}
	return n
}

// advanceChannel moves up what stands behind a message that left a FIFO channel.
func (e *engine) advanceChannel(v []uint32, left uint32) []uint32 {
	l := e.bases.items[left]
	if e.sys.Network.Channel == model.FIFO && !l.optional {
		e.shift(v, l, -1)
	}
	return v
}

// shift moves the messages behind one in its channel.
func (e *engine) shift(v []uint32, m base, by int16) {
	for i := e.head; i < len(v); i++ {
		o := e.bases.items[e.flat[v[i]].base]
		if o.kind == kind(model.Deliver) && !o.optional && o.slot == m.slot && o.from == m.from && o.pos > m.pos {
			v[i] = e.with(v[i], func(b *base) { b.pos += by })
		}
	}
}

// returns puts the return of the running operation into the bag.
func (e *engine) returns(v []uint32, slot int16, result uint32) []uint32 {
	app := v[e.appAt+int(slot)]
	for _, id := range v[e.head:] {
		if f := &e.flat[id]; f.slot == slot && f.kind == kind(model.Return) {
			app = 0
		}
	}
	if app&1 == 0 {
		model.Misused("node %s returns, but no invocation runs", e.sys.Name(model.NodeID(slot)))
	}
	b := e.store.base(base{kind: kind(model.Return), slot: slot, op: int16(app>>1) - 1, value: result})
	return append(v, e.pending(b, e.sys.Returned))
}

func (e *engine) seenOf(k model.ObservationKind, node, op int16, value uint32) observation {
	return observation{kind: k, node: node, op: op, value: value}
}

// observe tells the monitors, in order, and goes on with then.
func (e *engine) observe(v []uint32, o observation, then func([]uint32)) {
	if e.causal != nil {
		at := e.pastAt + int(o.node)
		if e.causal(e.observation(o)) {
			past := e.past(v[at])
			past[o.node]++
			v[at] = e.pastID(past)
		}
		o.past = v[at]
	}
	if e.monitors == 0 {
		then(v)
		return
	}
	e.tell(v, 0, e.seen.id(o), o.node, then)
}

// tell tells monitor m and those after it.
func (e *engine) tell(v []uint32, m int, seen uint32, who int16, then func([]uint32)) {
	for ; m < e.monitors; m++ {
		at := e.monitorAt + m
		rs := e.lookupWatch(v[at], seen)
		if len(rs) > 1 {
			e.branch(v, m, rs, seen, who, then)
			return
		}
		v[at] = rs[0].next
		e.blame(m, who, &rs[0])
		for _, f := range rs[0].effects {
			v = e.monitorEffect(v, f)
		}
	}
	then(v)
}

// branch goes on for each outcome of monitor m that time allows.
func (e *engine) branch(v []uint32, m int, rs []outcome, seen uint32, who int16, then func([]uint32)) {
	before := e.move
	for i := range rs {
		o := &rs[i]
		if !e.allowed(v, o) {
			continue
		}
		e.move = before
		e.move.picks = slices.Concat(before.picks, o.picks)
		e.move.broken = slices.Clone(before.broken)
		next := slices.Clone(v)
		next[e.monitorAt+m] = o.next
		e.blame(m, who, o)
		for _, f := range o.effects {
			next = e.monitorEffect(next, f)
		}
		e.tell(next, m+1, seen, who, then)
	}
	e.move = before
}

func (e *engine) monitorEffect(v []uint32, f effect) []uint32 {
	v = e.take(v, f.base)
	if f.do == arm {
		v = append(v, f.part)
	}
	return v
}

// blame keeps what a monitor reported.
func (e *engine) blame(m int, who int16, o *outcome) {
	if o.witness {
		e.move.witness |= 1 << m
	}
	if o.violation != "" {
		e.move.broken = append(e.move.broken, broken{m, o.violation, who})
	}
}

// learn merges a message's causal past into its receiver's.
func (e *engine) learn(v []uint32, slot int16, past uint32) {
	at := e.pastAt + int(slot)
	mine, theirs := e.past(v[at]), e.past(past)
	for i, x := range theirs {
		mine[i] = max(mine[i], x)
	}
	v[at] = e.pastID(mine)
}

// past returns a fresh copy of an interned causal past; id 0 is none.
func (st *store) past(id uint32) []int32 {
	var p []int32
	for b := st.pasts.items[id]; len(b) > 0; b = b[4:] {
		p = append(p, int32(binary.LittleEndian.Uint32([]byte(b[:4]))))
	}
	return p
}

func (st *store) pastID(p []int32) uint32 {
	var b []byte
	for _, x := range p {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return st.pasts.id(string(b))
}
