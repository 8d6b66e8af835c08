package search

import (
	"slices"

	"contend/model"
)

// A rest is what remains to be done for a step: a handler's effects in order, and
// what comes then. It is not changed.
type rest struct {
	slot, op int16
	effects  []effect
	then     then
}

type then uint8

const (
	finishStep then = iota
	goOn            // the application goes on with the operation after op
	stay            // the application saw op return, and stays in its section if there is one
	bootOn          // the nodes from op on are started
)

// effects does what remains of a step; where a monitor has several outcomes, once for
// each.
func (w *worker) effects(v []uint32, r *rest) {
	for i := range r.effects {
		f := &r.effects[i]
		switch f.do {
		case send:
			v = w.send(v, r.slot, f)
		case arm:
			v = w.put(w.take(v, f.base), f.part)
		case disarm:
			v = w.take(v, f.base)
		case finish:
			v = w.returns(v, r.slot, f.arg)
		case note:
			w.noted(v, r, i)
			return
		}
	}
	switch r.then {
	case goOn:
		v = w.goOn(v, r.slot, r.op)
	case stay:
		if w.sys.Nodes[r.slot].Script[r.op].Release != nil {
			v = w.put(v, w.releases[r.slot][r.op])
		} else {
			v = w.goOn(v, r.slot, r.op)
		}
	case bootOn:
		w.boot(v, int(r.op))
		return
	}
	w.finish(v)
}

// noted tells of the i-th effect, a note, and goes on after it.
func (w *worker) noted(v []uint32, r *rest, i int) {
	value := r.effects[i].arg
	seen := w.recall(value, aboutNote|uint32(r.slot), func() uint32 {
		return w.seen.id(observation{kind: model.Noted, node: r.slot, op: -1, value: value})
	})
	after := *r
	after.effects = r.effects[i+1:]
	w.observe(v, seen, r.slot, &after)
}

// goOn schedules the operation after op.
func (w *worker) goOn(v []uint32, slot, op int16) []uint32 {
	if k := int(op) + 1; k < len(w.invocations[slot]) {
		v = w.put(v, w.invocations[slot][k])
	}
	return v
}

// take removes the part with a base, if it is there.
func (w *worker) take(v []uint32, b uint32) []uint32 {
	for i := w.head; i < len(v); i++ {
		if w.flats[v[i]].base == b {
			return w.cut(v, i)
		}
	}
	return v
}

// send puts a message into flight, as its channel keeps it.
func (w *worker) send(v []uint32, from int16, f *effect) []uint32 {
	to := w.flats[f.part].slot
	if v[to] == down && w.sys.Nodes[to].Role != model.Server {
		return v // nobody is there
	}
	channel := w.sys.Network.Channel
	if channel == model.Set && slices.ContainsFunc(v[w.head:], func(id uint32) bool {
		o := &w.flats[id]
		return o.trigger == f.base && o.kind == kind(model.Deliver) && !o.optional
	}) {
		return v
	}
	part := f.part
	if channel == model.FIFO {
		part = w.placed(part, w.queued(v, from, to))
	}
	if w.causal != nil {
		past := v[w.pastAt+int(from)]
		part = w.recall(part, aboutPast|past, func() uint32 { return w.with(part, func(b *base) { b.past = past }) })
	}
	return w.put(v, part)
}

// placed returns a message at another place of its channel.
func (w *worker) placed(part uint32, pos int16) uint32 {
	return w.recall(part, aboutPlace|uint32(pos), func() uint32 { return w.with(part, func(b *base) { b.pos = pos }) })
}

// queued counts the messages in flight in a channel. Those that may arrive once more
// after a restart stand outside the queue.
func (w *worker) queued(v []uint32, from, to int16) int16 {
	n := int16(0)
	for _, id := range v[w.head:] {
		if o := &w.flats[id]; o.inChannel(from, to) {
			n++
		}
	}
	return n
}

// advanceChannel moves up what stands behind a message that left a FIFO channel.
func (w *worker) advanceChannel(v []uint32, left *flat) []uint32 {
	if w.queues && !left.optional {
		w.shift(v, left, -1)
	}
	return v
}

// shift moves the messages behind one in its channel.
func (w *worker) shift(v []uint32, m *flat, by int16) {
	for i := w.head; i < len(v); i++ {
		if o := &w.flats[v[i]]; o.inChannel(m.from, m.slot) && o.pos > m.pos {
			w.replace(v, i, w.placed(v[i], o.pos+by))
		}
	}
}

// returns puts the return of the running operation into the bag.
func (w *worker) returns(v []uint32, slot int16, result uint32) []uint32 {
	app := uint32(0)
	if at := w.appOf[slot]; at >= 0 {
		app = v[at]
	}
	for _, id := range v[w.head:] {
		if f := &w.flats[id]; f.slot == slot && f.kind == kind(model.Return) {
			app = 0
		}
	}
	if app&1 == 0 {
		model.Misused("node %s returns, but no invocation runs", w.sys.Name(model.NodeID(slot)))
	}
	op := int16(app>>1) - 1
	part := w.recall(result, aboutResult|uint32(slot)<<16|uint32(op), func() uint32 {
		return w.pending(w.store.base(base{kind: kind(model.Return), slot: slot, op: op, value: result}), w.sys.Returned)
	})
	return w.put(v, part)
}

// seenEvent is what monitors see of an event of an application.
func (w *worker) seenEvent(k model.ObservationKind, f *flat) uint32 {
	return w.recall(f.base, aboutEvent, func() uint32 {
		b := w.store.bases.items[f.base]
		return w.seen.id(observation{kind: k, node: b.slot, op: b.op, value: b.value})
	})
}

// observe tells the monitors, in order, and goes on with the rest.
func (w *worker) observe(v []uint32, seen uint32, node int16, r *rest) {
	if w.causal != nil {
		seen = w.observePast(v, seen, node)
	}
	w.tell(v, 0, seen, node, r)
}

// observePast adds an observation to the causal past of its node, if the claim selects
// it, and returns it with that past.
func (w *worker) observePast(v []uint32, seen uint32, node int16) uint32 {
	at := w.pastAt + int(node)
	counts := w.recall(seen, aboutCausal, func() uint32 {
		if w.causal(w.observation(w.seen.items[seen])) {
			return 1
		}
		return 0
	})
	if counts == 1 {
		before := v[at]
		w.setPast(v, at, w.recall(before, aboutCount|uint32(node), func() uint32 {
			past := w.past(before)
			past[node]++
			return w.pastID(past)
		}))
	}
	past := v[at]
	return w.recall(seen, aboutSeenPast|past, func() uint32 {
		o := w.seen.items[seen]
		o.past = past
		return w.seen.id(o)
	})
}

// tell tells monitor m and those after it.
func (w *worker) tell(v []uint32, m int, seen uint32, who int16, r *rest) {
	for ; m < w.monitors; m++ {
		at := w.monitorAt + m
		outcomes := w.reactWatch(v[at], seen).outcomes
		if len(outcomes) > 1 {
			w.branch(v, m, outcomes, seen, who, r)
			return
		}
		o := &outcomes[0]
		w.set(v, at, o.next)
		w.blame(m, who, o)
		for i := range o.effects {
			v = w.monitorEffect(v, &o.effects[i])
		}
	}
	w.effects(v, r)
}

// branch goes on for each outcome of monitor m that time allows.
func (w *worker) branch(v []uint32, m int, outcomes []outcome, seen uint32, who int16, r *rest) {
	before, sum := w.move, w.sum
	zones, trail := w.zones.saved(), w.tracker.saved()
	for i := range outcomes {
		o := &outcomes[i]
		if !w.allowedOf(v, o, zones) {
			continue
		}
		w.tracker.restore(trail)
		w.move, w.sum = before, sum
		w.move.picks = slices.Concat(before.picks, o.picks)
		w.move.broken = slices.Clone(before.broken)
		next := slices.Clone(v)
		w.set(next, w.monitorAt+m, o.next)
		w.blame(m, who, o)
		for k := range o.effects {
			next = w.monitorEffect(next, &o.effects[k])
		}
		w.tell(next, m+1, seen, who, r)
	}
	w.move = before
}

func (w *worker) monitorEffect(v []uint32, f *effect) []uint32 {
	v = w.take(v, f.base)
	if f.do == arm {
		v = w.put(v, f.part)
	}
	return v
}

// blame keeps what a monitor reported.
func (w *worker) blame(m int, who int16, o *outcome) {
	if o.witness {
		w.move.witness |= 1 << m
	}
	if o.violation != "" {
		w.move.broken = append(w.move.broken, broken{m, o.violation, who})
	}
}

// learn merges a message's causal past into its receiver's.
func (w *worker) learn(v []uint32, slot int16, past uint32) {
	at := w.pastAt + int(slot)
	mine := v[at]
	w.setPast(v, at, w.recall(mine, aboutUnion|past, func() uint32 {
		union := w.past(mine)
		for i, x := range w.past(past) {
			union[i] = max(union[i], x)
		}
		return w.pastID(union)
	}))
}
