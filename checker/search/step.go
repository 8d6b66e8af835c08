package search

import (
	"slices"

	"contend/checker/search/liveness"
	"contend/model"
)

// initial hands the first states to emit.
func (w *worker) initial() {
	v := make([]uint32, w.head, w.head+16)
	copy(v, w.made[:w.n])
	copy(v[w.monitorAt:], w.made[w.n:])
	f := w.sys.Faults
	v[w.budgetAt] = uint32(f.Loss | f.Duplication<<8 | f.Crashes<<16 | f.Restarts<<24)
	if w.causal != nil {
		var none uint32
		w.ask(func() { none = w.pastID(make([]int32, w.n)) })
		for i := range w.n {
			v[w.pastAt+i] = none
		}
	}
	w.move, w.booting = move{}, true
	w.sum = w.printOfState(v)
	if w.zones != nil {
		w.zones.start()
	}
	if w.tracker != nil {
		w.tracker.start()
	}
	for _, parts := range w.invocations {
		if len(parts) > 0 {
			v = w.put(v, parts[0])
		}
	}
	w.boot(v, 0)
	w.booting = false
}

// boot runs Start of the nodes from i on, one after another.
func (w *worker) boot(v []uint32, i int) {
	for ; i < w.n; i++ {
		if _, ok := w.protos[i].(model.Starter); ok {
			o := w.started(v, i)
			w.set(v, i, o.next)
			w.effects(slices.Clone(v), &rest{slot: int16(i), effects: o.effects, then: bootOn, op: int16(i + 1)})
			return
		}
	}
	w.finish(v)
}

// started is what Start does. It makes no choices.
func (w *worker) started(v []uint32, i int) *outcome {
	var trigger uint32
	w.ask(func() { trigger = w.store.base(base{kind: boot, slot: int16(i), value: w.value(nil)}) })
	outcomes := w.react(v[i], trigger).outcomes
	for k := range outcomes {
		o := &outcomes[k]
		if slices.ContainsFunc(o.picks, func(p pick) bool { return p.held == 0 }) {
			model.Misused("node %s: a choice is made where none can be: in Start", w.sys.Name(model.NodeID(i)))
		}
		if !w.allowed(v, o) {
			continue
		}
		if o.cut >= 0 {
			model.Misused("node %s: Start leads beyond a cut", w.sys.Name(model.NodeID(i)))
		}
		return o
	}
	panic("no outcome of Start is allowed, though no hold is set") // unreachable: Held is false for a hold that is not set
}

// expand hands every successor of a state, whose print is known, to emit. The order is the same each
// time, so that the number of a successor names it.
func (w *worker) expand(v []uint32, at print) {
	w.at, w.emitted, w.movable, w.repairs, w.cuts = at, 0, false, false, 0
	w.withheld, w.kept = w.withheld[:0], 0
	if w.timed && !w.dense {
		w.clock = append(w.clock[:0], v...)
	}
	if w.coins.tossed {
		w.play(v)
		return
	}
	if w.beginsAtBoot(v) {
		return
	}
	if !w.timed || w.dense {
		w.move = move{}
		w.fire(v)
		w.environment(v)
		return
	}
	for delay := int32(0); ; delay++ {
		w.move = move{delay: delay}
		w.fire(w.clock)
		w.environment(w.clock)
		if !w.tickAll() {
			return
		}
		w.at = w.printOfState(w.clock)
	}
}

// beginsAtBoot takes the only step there is when an operation that begins at boot has not
// begun; false when none is left.
func (w *worker) beginsAtBoot(v []uint32) bool {
	for _, id := range w.atBoot {
		if v[w.appOf[id]] == 0 {
			w.move = move{}
			w.invokeAtBoot(v, int16(id))
			return true
		}
	}
	return false
}

// invokeAtBoot takes the one step that a node whose operation begins at boot allows.
func (w *worker) invokeAtBoot(v []uint32, slot int16) {
	for i := w.head; i < len(v); i++ {
		if f := &w.flats[v[i]]; f.kind == kind(model.Invoke) && f.slot == slot && w.mayFire(v, i) {
			w.move = move{kind: model.Invoke, base: f.base, place: int32(i)}
			w.handleEvent(v, i, f)
			return
		}
	}
}

// tickAll moves the clock a tick on; false when time may not or need not pass.
func (w *worker) tickAll() bool {
	changed := false
	kept := w.head
	for i, id := range w.clock[w.head:] {
		next := w.recall(id, aboutTick, func() uint32 { return w.ticked(id) })
		if next == blocked {
			return false
		}
		changed = changed || next != id
		if next != gone {
			w.clock[kept] = next
			if w.tracker != nil {
				w.tracker.at[kept-w.head] = w.tracker.at[i]
			}
			kept++
		}
	}
	w.clock = w.clock[:kept]
	if w.tracker != nil {
		w.tracker.at = w.tracker.at[:kept-w.head]
		sortCast(w.clock[w.head:], w.tracker.at)
	} else {
		sortParts(w.clock[w.head:])
	}
	return changed
}

// twin reports whether what happens to the i-th part has happened to its neighbour: an equal
// event has the same successors.
func (w *worker) twin(v []uint32, i int) bool {
	return i > w.head && v[i] == v[i-1] && w.uses.equals
}

// fire takes each event that may fire now.
func (w *worker) fire(v []uint32) {
	for i := w.head; i < len(v); i++ {
		if w.twin(v, i) {
			continue
		}
		if f := &w.flats[v[i]]; f.lo <= 0 && f.kind < hold && w.mayFire(v, i) {
			w.fireOne(v, i, f)
		}
	}
}

// fireOne takes an event that may fire now.
func (w *worker) fireOne(v []uint32, i int, f *flat) {
	w.move.kind, w.move.base, w.move.place = model.EventKind(f.kind), f.base, int32(i)
	w.move.picks, w.move.broken, w.move.witness = nil, nil, 0
	switch w.move.kind {
	case model.Deliver:
		if f.pos == 0 {
			w.deliver(v, i, f)
		}
	case model.Return:
		w.returned(v, i, f)
	case model.Expire:
		w.expireAlarm(v, i, f)
	default:
		w.handleEvent(v, i, f)
	}
}

func (w *worker) deliver(v []uint32, i int, f *flat) {
	if v[f.slot] == down { // a crashed server: the message is lost
		w.moves(f)
		w.finish(w.advanceChannel(w.without(v, i), f))
		return
	}
	w.handleEvent(v, i, f)
}

// handleEvent branches over the outcomes of a node's handler.
func (w *worker) handleEvent(v []uint32, i int, f *flat) {
	r := w.react(v[f.slot], f.trigger)
	if r.plain {
		w.moves(f)
		if r.sends && w.sketch != nil && (w.move.kind == model.Deliver || w.move.kind == model.Timeout) {
			w.drawn(v, i, f.slot, w.at.Minus(f.print), r)
			return
		}
		w.happen(v, i, f, r.next, r.effects)
		return
	}
	w.each(r.outcomes, func(o *outcome) {
		if len(o.picks) > 0 && !w.allowed(v, o) {
			return
		}
		if o.cut >= 0 {
			w.keptBack(f, o)
			return
		}
		w.moves(f)
		w.move.picks, w.move.broken, w.move.witness = o.picks, nil, 0
		w.happen(v, i, f, o.next, o.effects)
	})
}

// moves notes that something happens. What may come once more does not count: it need
// not.
func (w *worker) moves(f *flat) { w.movable = w.movable || !f.optional }

// keptBack notes that a cut keeps an event from having an outcome.
func (w *worker) keptBack(f *flat, o *outcome) {
	w.cuts |= 1 << o.cut
	if f.optional {
		w.kept |= liveness.Spare
	} else {
		w.withheld = append(w.withheld, f.base)
	}
}

// happen lets an event have one outcome.
func (w *worker) happen(v []uint32, i int, f *flat, local uint32, effects []effect) {
	next := w.without(v, i)
	w.goesOn(v[f.slot], local)
	w.set(next, int(f.slot), local)
	after := &rest{slot: f.slot, effects: effects}
	switch model.EventKind(f.kind) {
	case model.Deliver:
		if w.queues {
			next = w.advanceChannel(next, f)
		}
		if w.causal != nil {
			w.learn(next, f.slot, w.bases[f.base].past)
		}
		if left(v[w.budgetAt], restartShift) {
			next = w.keepForRestart(next, v[i], f)
		}
		w.effects(next, after)
	case model.Invoke:
		w.number(next, w.appOf[f.slot], uint32(w.bases[f.base].op+1)<<1|1)
		w.observe(next, w.seenEvent(model.Invoked, f), f.slot, after)
	case model.Release:
		after.then, after.op = goOn, w.bases[f.base].op
		w.observe(next, w.seenEvent(model.Released, f), f.slot, after)
	default:
		w.effects(next, after)
	}
}

// allowed reports whether time lets the answers of Held be as an outcome has them.
func (w *worker) allowed(v []uint32, o *outcome) bool {
	if w.zones != nil {
		return w.zones.allowed(w, v, o)
	}
	for _, p := range o.picks {
		if p.held != 0 && !w.mayAnswer(v, p) {
			return false
		}
	}
	return true
}

func (w *worker) mayAnswer(v []uint32, p pick) bool {
	for _, id := range v[w.head:] {
		if f := &w.flats[id]; f.base == p.held {
			free := !w.timed || f.hi == 0 && !w.refine.exact
			return free && !w.booting || p.lasts()
		}
	}
	return !p.lasts()
}

// returned lets the application see its operation return.
func (w *worker) returned(v []uint32, i int, f *flat) {
	w.movable = true
	next := w.without(v, i)
	at := w.appOf[f.slot]
	w.number(next, at, next[at]&^1)
	w.observe(next, w.seenEvent(model.Returned, f), f.slot, &rest{slot: f.slot, op: w.bases[f.base].op, then: stay})
}

func (w *worker) expireAlarm(v []uint32, i int, f *flat) {
	// Monitors are no part of the system, but what is pending may have to wait for one.
	w.movable = w.movable || slices.ContainsFunc(v[w.head:], func(id uint32) bool {
		f := &w.flats[id]
		return f.kind < hold && f.kind != kind(model.Expire) && !f.optional
	})
	at := w.monitorAt + int(f.slot) - w.n
	outcomes := w.react(v[at], f.trigger).outcomes
	for k := range outcomes {
		if o := &outcomes[k]; w.allowed(v, o) {
			next := w.without(v, i)
			w.set(next, at, o.next)
			w.move.picks, w.move.broken, w.move.witness = o.picks, nil, 0
			w.blame(at-w.monitorAt, -1, o)
			w.effects(next, &rest{slot: f.slot, effects: o.effects})
		}
	}
}

// done reports whether every application has finished its script, or is down.
func (w *worker) done(v []uint32) bool {
	for i, spec := range w.sys.Nodes {
		if len(spec.Script) > 0 && v[i] != down && v[w.appOf[i]] != uint32(len(spec.Script))<<1 {
			return false
		}
	}
	for _, id := range v[w.head:] {
		if w.flats[id].kind == kind(model.Release) {
			return false
		}
	}
	return true
}
