package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/model"
)

// Initial hands the first states to emit.
func (w *Worker) Initial() {
	v := make([]uint32, w.Head, w.Head+16)
	copy(v, w.Made[:w.N])
	copy(v[w.MonitorAt:], w.Made[w.N:])
	f := w.Sys.Faults
	v[w.BudgetAt] = uint32(f.Loss | f.Duplication<<8 | f.Crashes<<16 | f.Restarts<<24)
	if w.moreAt >= 0 {
		v[w.moreAt] = uint32(f.Suspicions<<suspicionShift | f.Partitions<<partitionShift)
	}
	if w.pasts {
		var none uint32
		w.Ask(func() { none = w.PastID(make([]int32, w.N)) })
		for i := range w.N {
			v[w.pastAt+i] = none
		}
	}
	w.Move, w.booting = Move{}, true
	w.Sum = w.PrintOfState(v)
	if w.Zones != nil {
		w.Zones.start()
	}
	for _, parts := range w.Invocations {
		if len(parts) > 0 {
			v = w.put(v, parts[0])
		}
	}
	w.boot(v, 0)
	w.booting = false
}

// boot runs Start of the nodes from i on, one after another.
func (w *Worker) boot(v []uint32, i int) {
	for ; i < w.N; i++ {
		if _, ok := w.Protos[i].(model.Starter); ok {
			w.boots(v, i)
			return
		}
	}
	w.finish(v)
}

// boots runs Start of one node, and goes on for each of its outcomes.
func (w *Worker) boots(v []uint32, i int) {
	outcomes := w.starts(v[i], i)
	w.fork(len(outcomes), func(k int) {
		o := &outcomes[k]
		if !w.allowed(v, o) {
			return
		}
		if o.Cut >= 0 {
			model.Refuse("node %s: Start leads beyond a cut", w.Sys.Name(model.NodeID(i)))
		}
		how, picks := w.failure(v, int16(i), false, o)
		if w.Move.Picks = slices.Concat(w.Move.Picks, picks); how != "" {
			w.fails(v, int16(i), "Start", how)
			return
		}
		next := slices.Clone(v)
		w.set(next, i, o.Next)
		w.effects(next, &rest{slot: int16(i), effects: o.Effects, then: bootOn, op: int16(i + 1)})
	})
}

// starts are the outcomes of Start in a local state; without a Start there is one.
func (w *Worker) starts(local uint32, i int) []component.Outcome {
	trigger := w.Recall(uint32(i), aboutCrash|ofStart, func() uint32 {
		return w.Store.Base(component.Base{Kind: component.Boot, Slot: int16(i), Value: w.Value(nil)})
	})
	return w.React(local, trigger).outcomes
}

// Expand hands every successor of a state, whose print is known, to Emit. The order is the same each
// time, so that the number of a successor names it.
func (w *Worker) Expand(v []uint32, at fingerprint.Print) {
	w.at, w.Emitted, w.Movable, w.Repairs, w.Cuts = at, 0, false, false, 0
	w.Withheld, w.Kept = w.Withheld[:0], 0
	if w.Timed && !w.Dense {
		w.clock = append(w.clock[:0], v...)
	}
	if w.Zones != nil {
		w.Zones.findUrgent(w, v)
	}
	if w.Coins.Tossed {
		w.play(v)
		return
	}
	if w.beginsAtBoot(v) {
		return
	}
	if !w.Timed || w.Dense {
		w.Move = Move{}
		w.fire(v)
		w.environment(v)
		return
	}
	for delay := int32(0); ; delay++ {
		w.Move = Move{Delay: delay}
		w.fire(w.clock)
		w.environment(w.clock)
		if !w.tickAll() {
			return
		}
		w.at = w.PrintOfState(w.clock)
	}
}

// beginsAtBoot takes the only step there is when an operation that begins at boot has not
// begun; false when none is left.
func (w *Worker) beginsAtBoot(v []uint32) bool {
	for _, id := range w.AtBoot {
		if v[w.AppOf[id]] == 0 {
			w.invokeAtBoot(v, int16(id))
			return true
		}
	}
	return false
}

// invokeAtBoot takes the one step that a node whose operation begins at boot allows.
func (w *Worker) invokeAtBoot(v []uint32, slot int16) {
	for i := w.Head; i < len(v); i++ {
		if f := &w.Flats[v[i]]; f.Kind == component.Kind(model.Invoke) && f.Slot == slot && w.mayFire(i) {
			w.Move = Move{Kind: model.Invoke, Base: f.Base, place: int32(i)}
			w.handleEvent(v, i, f)
			return
		}
	}
}

// tickAll moves the clock a tick on; false when time may not or need not pass.
func (w *Worker) tickAll() bool {
	changed := false
	kept := w.Head
	for i, id := range w.clock[w.Head:] {
		next := w.Recall(id, aboutTick, func() uint32 { return w.Ticked(id) })
		if next == component.Blocked {
			return false
		}
		changed = changed || next != id
		if next != component.Gone {
			w.clock[kept] = next
			if w.Tracker != nil {
				w.Tracker.at[kept-w.Head] = w.Tracker.at[i]
			}
			kept++
		}
	}
	w.clock = w.clock[:kept]
	if w.Tracker != nil {
		w.Tracker.at = w.Tracker.at[:kept-w.Head]
		SortCast(w.clock[w.Head:], w.Tracker.at)
	} else {
		SortParts(w.clock[w.Head:])
	}
	return changed
}

// twin reports whether what happens to the i-th part has happened to its neighbour: an equal
// event has the same successors.
func (w *Worker) twin(v []uint32, i int) bool {
	return i > w.Head && v[i] == v[i-1] && w.Uses.Equals
}

// fire takes each event that may fire now.
func (w *Worker) fire(v []uint32) {
	for i := w.Head; i < len(v); i++ {
		if w.twin(v, i) {
			continue
		}
		if f := &w.Flats[v[i]]; f.Lo <= 0 && f.Kind < component.Hold && w.mayFire(i) {
			w.fireOne(v, i, f)
		}
	}
}

// fireOne takes an event that may fire now.
func (w *Worker) fireOne(v []uint32, i int, f *component.Flat) {
	w.Move = Move{Kind: model.EventKind(f.Kind), Delay: w.Move.Delay, Base: f.Base, place: int32(i)}
	switch w.Move.Kind {
	case model.Deliver:
		if f.Pos == 0 {
			w.deliver(v, i, f)
		}
	case model.Return:
		w.returned(v, i, f)
	case model.Expire:
		w.expireAlarm(v, i, f)
	case model.Heal:
		w.moves(f)
		w.finish(w.without(v, i))
	default:
		w.handleEvent(v, i, f)
	}
}

func (w *Worker) deliver(v []uint32, i int, f *component.Flat) {
	if v[f.Slot] == component.Down { // a crashed server: the message is lost
		w.moves(f)
		w.finish(w.AdvanceChannel(w.without(v, i), f))
		return
	}
	w.handleEvent(v, i, f)
}

// handleEvent branches over the outcomes of a node's handler.
func (w *Worker) handleEvent(v []uint32, i int, f *component.Flat) {
	r := w.React(v[f.Slot], f.Trigger)
	if r.plain {
		w.moves(f)
		if r.sends && w.Sketch != nil && (w.Move.Kind == model.Deliver || w.Move.Kind == model.Timeout) {
			w.drawn(v, i, f.Slot, w.at.Minus(f.Print), r)
			return
		}
		w.happen(v, i, f, r.next, r.effects)
		return
	}
	w.each(r.outcomes, func(o *component.Outcome) {
		if len(o.Picks) > 0 && !w.allowed(v, o) {
			return
		}
		how, picks := w.failure(v, f.Slot, w.Move.Kind == model.Invoke, o)
		if how == "" && o.Cut >= 0 {
			w.keptBack(f, o)
			return
		}
		if w.Move.Picks, w.Move.Broken, w.Move.Witness = picks, nil, 0; how != "" {
			w.withhold(f)
			w.fails(w.without(v, i), f.Slot, component.HandlerName(f.Kind), how)
			return
		}
		w.moves(f)
		w.happen(v, i, f, o.Next, o.Effects)
	})
}

// moves notes that something happens. What may come once more does not count: it need
// not.
func (w *Worker) moves(f *component.Flat) { w.Movable = w.Movable || !f.Optional }

// keptBack notes that a cut keeps an event from having an outcome.
func (w *Worker) keptBack(f *component.Flat, o *component.Outcome) {
	w.Cuts |= 1 << o.Cut
	w.withhold(f)
}

// withhold notes that an event may not fire, or not to its end.
func (w *Worker) withhold(f *component.Flat) {
	if f.Optional {
		w.Kept |= liveness.Spare
	} else {
		w.Withheld = append(w.Withheld, f.Base)
	}
}

// happen lets an event have one outcome.
func (w *Worker) happen(v []uint32, i int, f *component.Flat, local uint32, effects []component.Effect) {
	next := w.without(v, i)
	w.goesOn(v[f.Slot], local)
	w.set(next, int(f.Slot), local)
	after := &rest{slot: f.Slot, effects: effects}
	switch model.EventKind(f.Kind) {
	case model.Deliver:
		next = w.AdvanceChannel(next, f)
		if w.pasts {
			w.learn(next, f.Slot, w.bases[f.Base].Past)
		}
		if w.again && left(v[w.BudgetAt], restartShift) && w.recovers[f.Slot] {
			next = w.keepForRestart(next, v[i], f)
		}
		w.effects(next, after)
	case model.Invoke:
		w.number(next, w.AppOf[f.Slot], uint32(w.bases[f.Base].Op+1)<<1|1)
		w.observe(next, w.seenEvent(model.Invoked, f), f.Slot, after)
	case model.Release:
		after.then, after.op = goOn, w.bases[f.Base].Op
		w.observe(next, w.seenEvent(model.Released, f), f.Slot, after)
	default:
		w.effects(next, after)
	}
}

// allowed reports whether time lets the answers of Held be as an outcome has them.
func (w *Worker) allowed(v []uint32, o *component.Outcome) bool {
	switch {
	case w.Zones != nil:
		return w.Zones.allowed(w, v, o)
	}
	for _, p := range o.Picks {
		if p.Held != 0 && !w.mayAnswer(v, p) {
			return false
		}
	}
	return true
}

func (w *Worker) mayAnswer(v []uint32, p component.Pick) bool {
	for _, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Base == p.Held {
			free := !w.Timed || f.Hi == 0 && !w.Refine.Exact
			return free && !w.booting || p.Lasts()
		}
	}
	return !p.Lasts()
}

// returned lets the application see its operation return.
func (w *Worker) returned(v []uint32, i int, f *component.Flat) {
	w.Movable = true
	next := w.without(v, i)
	at := w.AppOf[f.Slot]
	w.number(next, at, next[at]&^1)
	seen, after := w.seenEvent(model.Returned, f), &rest{slot: f.Slot, op: w.bases[f.Base].Op, then: stay}
	if w.chains == nil {
		w.observe(next, seen, f.Slot, after)
		return
	}
	w.tell(next, 0, w.observeChain(next, seen, f.Slot, w.bases[f.Base].Past), f.Slot, after)
}

func (w *Worker) expireAlarm(v []uint32, i int, f *component.Flat) {
	// Monitors are no part of the system, but what is pending may have to wait for one.
	w.Movable = w.Movable || slices.ContainsFunc(v[w.Head:], func(id uint32) bool {
		f := &w.Flats[id]
		return f.Kind < component.Hold && f.Kind != component.Kind(model.Expire) && !f.Optional
	})
	at := w.MonitorAt + int(f.Slot) - w.N
	outcomes := w.React(v[at], f.Trigger).outcomes
	for k := range outcomes {
		if o := &outcomes[k]; w.allowed(v, o) {
			next := w.without(v, i)
			how, picks := w.failure(v, f.Slot, false, o)
			if w.Move.Picks, w.Move.Broken, w.Move.Witness = picks, nil, 0; how != "" {
				w.withhold(f)
				w.fails(next, f.Slot, "Expire", how)
				continue
			}
			w.set(next, at, o.Next)
			w.blame(at-w.MonitorAt, -1, o)
			w.effects(next, &rest{slot: f.Slot, effects: o.Effects})
		}
	}
}

// Done reports whether every application has ended its script, or is down for good. An application that went down within
// an operation and may come back has not ended it.
func (w *Worker) Done(v []uint32) bool {
	for i, spec := range w.Sys.Nodes {
		if len(spec.Script) > 0 && v[w.AppOf[i]] != uint32(len(spec.Script))<<1 && (v[i] != component.Down || w.stored(v, i) >= 0) {
			return false
		}
	}
	for _, id := range v[w.Head:] {
		if w.Flats[id].Kind == component.Kind(model.Release) {
			return false
		}
	}
	return true
}
