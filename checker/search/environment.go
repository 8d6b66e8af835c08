package search

import (
	"fmt"
	"slices"

	"contend/checker/search/liveness"
	"contend/model"
)

// Where in the budget component each fault's count stands.
const (
	lossShift, duplicationShift, crashShift, restartShift = 0, 8, 16, 24
)

func left(budget uint32, shift int) bool { return budget>>shift&255 > 0 }

// environment takes each move of the environment that the budget allows, and each
// message that a Byzantine node may make up.
func (w *worker) environment(v []uint32) {
	w.move.picks, w.move.broken, w.move.witness = nil, nil, 0
	if w.zones != nil {
		w.zones.pass(w, v)
	}
	if budget := v[w.budgetAt]; budget != 0 {
		w.messages(v, budget)
	}
	for i := range w.n {
		if w.mayCrash(v, i) {
			w.crash(v, i)
		} else if v[i] == down && !w.sys.Nodes[i].Byzantine && w.sys.Nodes[i].Role == model.Server {
			w.restart(v, i)
		}
	}
	if w.sys.Forge != nil {
		w.forgeries(v)
	}
}

// spend takes one from the budget of a fault.
func (w *worker) spend(v []uint32, shift int) { w.number(v, w.budgetAt, v[w.budgetAt]-1<<shift) }

// messages loses and duplicates what is in flight.
func (w *worker) messages(v []uint32, budget uint32) {
	for i := w.head; i < len(v); i++ {
		f := &w.flats[v[i]]
		if model.EventKind(f.kind) != model.Deliver || f.optional || w.twin(v, i) {
			continue
		}
		w.move.base, w.move.place = f.base, int32(i)
		if left(budget, lossShift) {
			w.move.kind = model.Lose
			next := w.advanceChannel(w.without(v, i), f)
			w.spend(next, lossShift)
			w.finish(next)
		}
		if left(budget, duplicationShift) {
			w.move.kind = model.Duplicate
			next := w.copied(v)
			w.spend(next, duplicationShift)
			again := v[i]
			if w.sys.Network.Channel == model.FIFO {
				w.shift(next, f, 1) // the copy comes right behind
				again = w.placed(again, f.pos+1)
			}
			w.finish(w.put(next, again))
		}
	}
}

func (w *worker) mayCrash(v []uint32, i int) bool {
	shift := crashShift
	if w.sys.Nodes[i].Role == model.Server {
		shift = restartShift
	}
	return v[i] != down && left(v[w.budgetAt], shift)
}

// crash takes a node down, with its timers, holds and application.
func (w *worker) crash(v []uint32, i int) {
	server := w.sys.Nodes[i].Role == model.Server
	next := w.copied(v)
	for k := w.head; k < len(next); {
		f := &w.flats[next[k]]
		if int(f.slot) != i || server && (f.kind == kind(model.Deliver) || f.kind == delivered) {
			k++
			continue
		}
		next = w.cut(next, k)
	}
	if server {
		w.spend(next, restartShift)
		if w.absorb != nil {
			w.goesOn(v[i], w.reborn(next, i))
		}
	} else {
		w.spend(next, crashShift)
	}
	w.set(next, i, down)
	if at := w.appOf[i]; at >= 0 {
		w.number(next, at, next[at]&^1)
	}
	w.move.kind, w.move.slot = model.Crash, int16(i)
	w.move.picks, w.move.broken, w.move.witness = nil, nil, 0
	seen := w.recall(uint32(i), aboutCrash, func() uint32 {
		return w.seen.id(observation{kind: model.Crashed, node: int16(i), op: -1, value: w.value(nil)})
	})
	w.observe(next, seen, int16(i), &rest{slot: int16(i)})
	w.move.broken, w.move.witness = nil, 0
}

// restart brings a server back as it was made; what reached it before may come
// again.
func (w *worker) restart(v []uint32, i int) {
	next := w.copied(v)
	w.set(next, i, w.made[i])
	for k := w.head; k < len(next); k++ {
		if f := &w.flats[next[k]]; f.kind == delivered && int(f.slot) == i {
			part := next[k]
			w.replace(next, k, w.recall(part, aboutOptional, func() uint32 {
				return w.with(part, func(b *base) { b.kind, b.optional, b.pos = kind(model.Deliver), true, 0 })
			}))
		}
	}
	w.move.kind, w.move.slot = model.Restart, int16(i)
	w.move.picks = nil
	w.repairs = true
	if _, ok := w.protos[i].(model.Starter); !ok {
		w.finish(next)
		return
	}
	o := w.started(next, i)
	w.move.picks = o.picks
	w.set(next, i, o.next)
	w.effects(next, &rest{slot: int16(i), effects: o.effects})
}

// reborn is the local state that a server which crashes will have once it has restarted: no
// message reaches it before Start.
func (w *worker) reborn(v []uint32, i int) uint32 {
	if _, ok := w.protos[i].(model.Starter); !ok {
		return w.made[i]
	}
	v = slices.Clone(v)
	v[i] = w.made[i]
	return w.started(v, i).next
}

// keepForRestart remembers a delivery to a server, which may yet lose its memory.
func (w *worker) keepForRestart(v []uint32, part uint32, f *flat) []uint32 {
	if w.sys.Nodes[f.slot].Role == model.Server {
		v = w.put(v, w.recall(part, aboutDelivered, func() uint32 {
			return w.with(part, func(b *base) { b.kind, b.optional, b.pos = delivered, false, 0 })
		}))
		if w.tracker != nil {
			w.tracker.same(int(w.move.place) - w.head)
		}
	}
	return v
}

// forgeries lets each message of the alphabet arrive that makes a difference.
func (w *worker) forgeries(v []uint32) {
	for i := range w.n {
		if v[i] == down {
			continue
		}
		for _, trigger := range w.alphabet(v[i]) {
			w.move.kind, w.move.base = model.Forge, trigger
			r := w.react(v[i], trigger)
			if r.sends && w.sketch != nil {
				if !r.outcomes[0].idle {
					w.drawn(v, noPart, int16(i), w.at, r)
				}
				continue
			}
			w.each(r.outcomes, func(o *outcome) {
				if o.idle || !w.allowed(v, o) {
					return
				}
				if o.cut >= 0 {
					w.cuts |= 1 << o.cut
					w.kept |= liveness.Environment
					return
				}
				w.goesOn(v[i], o.next)
				next := w.copied(v)
				w.set(next, i, o.next)
				w.move.picks, w.move.broken, w.move.witness = o.picks, nil, 0
				w.effects(next, &rest{slot: int16(i), effects: o.effects})
			})
		}
	}
}

// alphabet returns what may be forged to a node in a local state.
func (w *worker) alphabet(state uint32) []uint32 {
	i, ok := w.forged.get(uint64(state))
	if !ok {
		w.ask(func() { i = w.engine.alphabet(state) })
		w.forged.put(uint64(state), i)
	}
	return w.forges[i]
}

// alphabet computes what may be forged to a node in a local state.
func (e *engine) alphabet(state uint32) uint32 {
	if i, ok := e.forged.get(uint64(state)); ok {
		return i
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
		panic(Impure{Text: fmt.Sprintf("Forge changes the state of %T", n)})
	}
	i := uint32(len(e.allForges))
	e.forged.put(uint64(state), i)
	e.allForges = append(e.allForges, list)
	if e.checks != nil {
		e.checks.Forged(state, list)
	}
	return i
}
