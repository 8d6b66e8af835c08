package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/liveness"
	"contend/model"
)

// Initial calls Emit with each initial state.
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
			v = w.addPart(v, parts[0])
		}
	}
	w.boot(v, 0)
	w.booting = false
}

// boot runs Start of the nodes from i on, in order.
func (w *Worker) boot(v []uint32, i int) {
	for ; i < w.N; i++ {
		if _, ok := w.Protos[i].(model.Starter); ok {
			w.bootNode(v, i)
			return
		}
	}
	w.finish(v)
}

// bootNode runs Start of node i, and continues with each of its outcomes.
func (w *Worker) bootNode(v []uint32, i int) {
	outcomes := w.startOutcomes(v[i], i)
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
		w.effects(next, &rest{slot: int16(i), effects: o.Effects, then: bootRest, op: int16(i + 1)})
	})
}

// startOutcomes returns the outcomes of Start in a local state. A node without Start has one outcome.
func (w *Worker) startOutcomes(local uint32, i int) []component.Outcome {
	trigger := w.Recall(uint32(i), aboutCrash|ofStart, func() uint32 {
		return w.Store.Base(component.Base{Kind: component.Boot, Slot: int16(i), Value: w.Value(nil)})
	})
	return w.React(local, trigger).outcomes
}

// Expand calls Emit with every successor of a state; at is the state's fingerprint. The order is the same each
// time, so that the number of a successor identifies it. On a grid of ticks, it expands the state, then lets a
// tick pass and expands again, until an event's deadline stops the clock or nothing changes any more.
func (w *Worker) Expand(v []uint32, at fingerprint.Print) {
	w.presentPrint, w.Emitted, w.Movable, w.Repairs, w.Cuts = at, 0, false, false, 0
	w.Withheld, w.WithheldFlags = w.Withheld[:0], 0
	if w.Timed && !w.Dense {
		w.clock = append(w.clock[:0], v...)
	}
	if w.Zones != nil {
		w.Zones.findUrgent(w, v)
	}
	if w.Coins.Tossed {
		w.expandGame(v)
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
		w.presentPrint = w.PrintOfState(w.clock)
	}
}

// beginsAtBoot takes the invocation of the first operation at boot that has not begun. It returns false if all
// have begun. Until then no other step is possible.
func (w *Worker) beginsAtBoot(v []uint32) bool {
	for _, id := range w.BootClients {
		if v[w.AppOf[id]] == 0 {
			w.invokeAtBoot(v, int16(id))
			return true
		}
	}
	return false
}

// invokeAtBoot takes the invocation of a node's operation at boot.
func (w *Worker) invokeAtBoot(v []uint32, slot int16) {
	for i := w.Head; i < len(v); i++ {
		if f := &w.Flats[v[i]]; f.Kind == component.Kind(model.Invoke) && f.Slot == slot && w.mayFire(i) {
			w.Move = Move{Kind: model.Invoke, Base: f.Base, index: int32(i)}
			w.handleEvent(v, i, f)
			return
		}
	}
}

// tickAll moves the clock by a tick; false if time may not pass, or if a tick changes nothing.
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
				w.Tracker.present[kept-w.Head] = w.Tracker.present[i]
			}
			kept++
		}
	}
	w.clock = w.clock[:kept]
	if w.Tracker != nil {
		w.Tracker.present = w.Tracker.present[:kept-w.Head]
		SortCast(w.clock[w.Head:], w.Tracker.present)
	} else {
		SortParts(w.clock[w.Head:])
	}
	return changed
}

// twin reports whether the i-th part equals the part before it, so that its events have the same successors.
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

// fireOne takes the event of the i-th part, whose time has come.
func (w *Worker) fireOne(v []uint32, i int, f *component.Flat) {
	w.Move = Move{Kind: model.EventKind(f.Kind), Delay: w.Move.Delay, Base: f.Base, index: int32(i)}
	switch w.Move.Kind {
	case model.Deliver:
		if f.Pos == 0 {
			w.deliver(v, i, f)
		}
	case model.Return:
		w.finishOperation(v, i, f)
	case model.Expire:
		w.expireAlarm(v, i, f)
	case model.Heal:
		w.noteMove(f)
		w.finish(w.copyWithout(v, i))
	default:
		w.handleEvent(v, i, f)
	}
}

func (w *Worker) deliver(v []uint32, i int, f *component.Flat) {
	if v[f.Slot] == component.Down { // a crashed server: the message is lost
		w.noteMove(f)
		w.finish(w.AdvanceChannel(w.copyWithout(v, i), f))
		return
	}
	w.handleEvent(v, i, f)
}

// handleEvent emits the successors of each outcome of a node's handler.
func (w *Worker) handleEvent(v []uint32, i int, f *component.Flat) {
	r := w.React(v[f.Slot], f.Trigger)
	if r.plain {
		w.noteMove(f)
		if r.sends && w.Sketch != nil && (w.Move.Kind == model.Deliver || w.Move.Kind == model.Timeout) {
			w.emitDraft(v, i, f.Slot, w.presentPrint.Minus(f.Print), r)
			return
		}
		w.applyOutcome(v, i, f, r.next, r.effects)
		return
	}
	w.each(r.outcomes, func(o *component.Outcome) {
		if len(o.Picks) > 0 && !w.allowed(v, o) {
			return
		}
		how, picks := w.failure(v, f.Slot, w.Move.Kind == model.Invoke, o)
		if how == "" && o.Cut >= 0 {
			w.noteCut(f, o)
			return
		}
		if w.Move.Picks, w.Move.Broken, w.Move.Witness = picks, nil, 0; how != "" {
			w.withhold(f)
			w.fails(w.copyWithout(v, i), f.Slot, component.HandlerName(f.Kind), how)
			return
		}
		w.noteMove(f)
		w.applyOutcome(v, i, f, o.Next, o.Effects)
	})
}

// noteMove records that an event happens. An optional event does not count, since it need not happen.
func (w *Worker) noteMove(f *component.Flat) { w.Movable = w.Movable || !f.Optional }

// noteCut records that a cut withholds an outcome of an event.
func (w *Worker) noteCut(f *component.Flat, o *component.Outcome) {
	w.Cuts |= 1 << o.Cut
	w.withhold(f)
}

// withhold records that an event does not fire, or not to its end.
func (w *Worker) withhold(f *component.Flat) {
	if f.Optional {
		w.WithheldFlags |= liveness.Spare
	} else {
		w.Withheld = append(w.Withheld, f.Base)
	}
}

// applyOutcome completes the step of an event with one outcome of its handler.
func (w *Worker) applyOutcome(v []uint32, i int, f *component.Flat, local uint32, effects []component.Effect) {
	next := w.copyWithout(v, i)
	w.goesOn(v[f.Slot], local)
	w.set(next, int(f.Slot), local)
	after := &rest{slot: f.Slot, effects: effects}
	switch model.EventKind(f.Kind) {
	case model.Deliver:
		next = w.AdvanceChannel(next, f)
		if w.pasts {
			w.mergePast(next, f.Slot, w.bases[f.Base].Past)
		}
		if w.redelivers && budgetLeft(v[w.BudgetAt], restartShift) && w.recovers[f.Slot] {
			next = w.keepForRestart(next, v[i], f)
		}
		w.effects(next, after)
	case model.Invoke:
		w.number(next, w.AppOf[f.Slot], uint32(w.bases[f.Base].Op+1)<<1|1)
		w.observe(next, w.eventObservation(model.Invoked, f), f.Slot, after)
	case model.Release:
		after.then, after.op = scheduleOp, w.bases[f.Base].Op
		w.observe(next, w.eventObservation(model.Released, f), f.Slot, after)
	default:
		w.effects(next, after)
	}
}

// allowed reports whether time allows an outcome's answers of Held. In dense time it also restricts the zone to
// the points with these answers.
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

// finishOperation takes the return of an application's operation.
func (w *Worker) finishOperation(v []uint32, i int, f *component.Flat) {
	w.Movable = true
	next := w.copyWithout(v, i)
	at := w.AppOf[f.Slot]
	w.number(next, at, next[at]&^1)
	seen, after := w.eventObservation(model.Returned, f), &rest{slot: f.Slot, op: w.bases[f.Base].Op, then: releaseOp}
	if w.chains == nil {
		w.observe(next, seen, f.Slot, after)
		return
	}
	w.notify(next, 0, w.observeChain(next, seen, f.Slot, w.bases[f.Base].Past), f.Slot, after)
}

func (w *Worker) expireAlarm(v []uint32, i int, f *component.Flat) {
	// A monitor is not part of the system, but a pending event may have to wait for its alarm.
	w.Movable = w.Movable || slices.ContainsFunc(v[w.Head:], func(id uint32) bool {
		f := &w.Flats[id]
		return f.Kind < component.Hold && f.Kind != component.Kind(model.Expire) && !f.Optional
	})
	at := w.MonitorAt + int(f.Slot) - w.N
	outcomes := w.React(v[at], f.Trigger).outcomes
	for k := range outcomes {
		if o := &outcomes[k]; w.allowed(v, o) {
			next := w.copyWithout(v, i)
			how, picks := w.failure(v, f.Slot, false, o)
			if w.Move.Picks, w.Move.Broken, w.Move.Witness = picks, nil, 0; how != "" {
				w.withhold(f)
				w.fails(next, f.Slot, "Expire", how)
				continue
			}
			w.set(next, at, o.Next)
			w.recordReport(at-w.MonitorAt, -1, o)
			w.effects(next, &rest{slot: f.Slot, effects: o.Effects})
		}
	}
}

// Done reports whether every application has completed its script, or is down for good. An application that
// crashed within an operation and may restart has not completed it.
func (w *Worker) Done(v []uint32) bool {
	for i, spec := range w.Sys.Nodes {
		if len(spec.Script) > 0 && v[w.AppOf[i]] != uint32(len(spec.Script))<<1 && (v[i] != component.Down || w.findRestart(v, i) >= 0) {
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
