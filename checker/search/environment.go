package search

import (
	"fmt"

	"contend/model"
)

// Where in the budget component each fault's count stands.
const (
	lossShift, duplicationShift, crashShift, restartShift = 0, 8, 16, 24
)

func left(budget uint32, shift int) bool { return budget>>shift&255 > 0 }

// environment takes each move of the environment that the budget allows, and each
// message that a Byzantine node may make up.
func (e *engine) environment(v []uint32) {
	e.move.picks, e.move.broken, e.move.witness = nil, nil, 0
	if budget := v[e.budgetAt]; budget != 0 {
		e.messages(v, budget)
	}
	for i := range e.n {
		if e.mayCrash(v, i) {
			e.crash(v, i)
		} else if v[i] == down && !e.sys.Nodes[i].Byzantine && e.sys.Nodes[i].Role == model.Server {
			e.restart(v, i)
		}
	}
	if e.sys.Forge != nil {
		e.forgeries(v)
	}
}

// messages loses and duplicates what is in flight.
func (e *engine) messages(v []uint32, budget uint32) {
	for i := e.head; i < len(v); i++ {
		f := e.flat[v[i]]
		b := e.bases.items[f.base]
		if model.EventKind(f.kind) != model.Deliver || b.optional || i > e.head && v[i] == v[i-1] {
			continue
		}
		e.move.base = f.base
		if left(budget, lossShift) {
			e.move.kind = model.Lose
			next := e.advanceChannel(e.without(v, i), f.base)
			next[e.budgetAt] -= 1 << lossShift
			e.finish(next)
		}
		if left(budget, duplicationShift) {
			e.move.kind = model.Duplicate
			e.buffer = append(e.buffer[:0], v...)
			e.buffer[e.budgetAt] -= 1 << duplicationShift
			again := v[i]
			if e.sys.Network.Channel == model.FIFO {
				e.shift(e.buffer, b, 1) // the copy comes right behind
				again = e.with(again, func(o *base) { o.pos++ })
			}
			e.finish(append(e.buffer, again))
		}
	}
}

func (e *engine) mayCrash(v []uint32, i int) bool {
	shift := crashShift
	if e.sys.Nodes[i].Role == model.Server {
		shift = restartShift
	}
	return v[i] != down && left(v[e.budgetAt], shift)
}

// crash takes a node down, with its timers, holds and application.
func (e *engine) crash(v []uint32, i int) {
	server := e.sys.Nodes[i].Role == model.Server
	next := append(e.buffer[:0], v[:e.head]...)
	for _, id := range v[e.head:] {
		f := &e.flat[id]
		if int(f.slot) != i || server && (f.kind == kind(model.Deliver) || f.kind == delivered) {
			next = append(next, id)
		}
	}
	if server {
		next[e.budgetAt] -= 1 << restartShift
		e.absorb.edge(v[i], e.fresh(i))
	} else {
		next[e.budgetAt] -= 1 << crashShift
	}
	next[i] = down
	next[e.appAt+i] &^= 1
	e.buffer = next
	e.move.kind, e.move.slot = model.Crash, int16(i)
	e.move.picks, e.move.broken, e.move.witness = nil, nil, 0
	o := e.seenOf(model.Crashed, int16(i), -1, e.value(nil))
	e.observe(next, o, e.finish)
	e.move.broken, e.move.witness = nil, 0
}

// restart brings a server back as it was made; what reached it before may come
// again.
func (e *engine) restart(v []uint32, i int) {
	e.buffer = append(e.buffer[:0], v...)
	next := e.buffer
	next[i] = e.fresh(i)
	for k := e.head; k < len(next); k++ {
		if f := &e.flat[next[k]]; f.kind == delivered && int(f.slot) == i {
			next[k] = e.with(next[k], func(b *base) { b.kind, b.optional, b.pos = kind(model.Deliver), true, 0 })
		}
	}
	e.move.kind, e.move.slot = model.Restart, int16(i)
	e.move.picks = nil
	e.movable = true
	if _, ok := e.protos[i].(model.Starter); !ok {
		e.finish(next)
		return
	}
	o := e.started(next, i)
	e.absorb.took(next[i], o)
	next[i] = o.next
	e.effects(next, int16(i), o.effects, e.finish)
}

// keepForRestart remembers a delivery to a server that may yet lose its memory.
func (e *engine) keepForRestart(v []uint32, id uint32, b base) []uint32 {
	if e.sys.Nodes[b.slot].Role == model.Server && left(v[e.budgetAt], restartShift) {
		v = append(v, e.with(id, func(b *base) { b.kind, b.optional, b.pos = delivered, false, 0 }))
	}
	return v
}

// forgeries lets each message of the alphabet arrive that makes a difference.
func (e *engine) forgeries(v []uint32) {
	for i := range e.n {
		if v[i] == down {
			continue
		}
		for _, trigger := range e.alphabet(v[i]) {
			b := e.bases.items[trigger]
			outcomes := e.lookup(v[i], trigger)
			for k := range outcomes {
				o := &outcomes[k]
				if o.idle || !e.allowed(v, o) {
					continue
				}
				if o.cut >= 0 {
					e.cuts |= 1 << o.cut
					continue
				}
				e.absorb.took(v[i], o)
				e.buffer = append(e.buffer[:0], v...)
				e.buffer[i] = o.next
				e.move.kind, e.move.base = model.Forge, trigger
				e.move.picks, e.move.broken, e.move.witness = o.picks, nil, 0
				e.effects(e.buffer, b.slot, o.effects, e.finish)
			}
		}
	}
}

// alphabet returns what may be forged to a node in a local state.
func (e *engine) alphabet(state uint32) []uint32 {
	if i, ok := e.forged.get(uint64(state)); ok {
		return e.forges[i]
	}
	l := e.locals.items[state]
	n := e.codec.DecodeNode(e.protos[l.slot], []byte(l.bytes))
	var list []uint32
	for u, spec := range e.sys.Nodes {
		if !spec.Byzantine {
			continue
		}
		for _, m := range e.sys.Forge(n, model.NodeID(l.slot), model.NodeID(u)) {
			list = append(list, e.store.base(base{kind: kind(model.Forge), slot: l.slot, from: int16(u), value: e.value(m)}))
		}
	}
	if string(e.codec.Node(n, nil)) != l.bytes {
		panic(Impure{fmt.Sprintf("Forge changes the state of %T", n)})
	}
	e.forged.put(uint64(state), uint32(len(e.forges)))
	e.forges = append(e.forges, list)
	if e.sym != nil {
		e.sym.checkAlphabet(state, list)
	}
	return list
}
