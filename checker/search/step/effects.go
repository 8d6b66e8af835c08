package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/model"
	"contend/model/guard"
)

// A rest is the remainder of a step: a handler's effects in order, and the action after them. It is immutable.
type rest struct {
	slot, op int16
	effects  []component.Effect
	then     then
}

type then uint8

const (
	finishStep then = iota
	scheduleOp      // schedule the operation after op
	releaseOp       // op has returned: schedule its release, or else the operation after op
	bootRest        // start the nodes from op on
)

// effects completes a step. Where a monitor has several outcomes, the step is completed once for each.
func (w *Worker) effects(v []uint32, r *rest) {
	for i := range r.effects {
		f := &r.effects[i]
		switch f.Do {
		case component.Send:
			v = w.send(v, r.slot, f)
		case component.Arm:
			v = w.addPart(w.remove(v, f.Base), f.Part)
			w.noteRenewed(f)
		case component.Disarm:
			v = w.remove(v, f.Base)
		case component.Finish:
			v = w.addReturn(v, r.slot, f.Arg)
		case component.Note, component.Deliver:
			w.observeNote(v, r, i)
			return
		case component.Tell:
			w.observeSend(v, r, i)
			return
		}
	}
	switch r.then {
	case scheduleOp:
		v = w.scheduleNext(v, r.slot, r.op)
	case releaseOp:
		if w.Sys.Nodes[r.slot].Script[r.op].Release != nil {
			v = w.addPart(v, w.Releases[r.slot][r.op])
		} else {
			v = w.scheduleNext(v, r.slot, r.op)
		}
	case bootRest:
		w.boot(v, int(r.op))
		return
	}
	w.finish(v)
}

// noteRenewed records that a step sets an alarm: it is a new event even if the alarm was set before.
func (w *Worker) noteRenewed(f *component.Effect) {
	if w.Fair && w.Flats[f.Part].Kind < component.Hold {
		w.renewed = append(w.renewed, f.Base)
	}
}

// observeNote notifies the monitors of the i-th effect, a note or a delivery, and continues with the effects
// after it.
func (w *Worker) observeNote(v []uint32, r *rest, i int) {
	value, kind, about := r.effects[i].Arg, model.Noted, uint32(aboutNote)
	if r.effects[i].Do == component.Deliver {
		kind, about = model.Delivered, aboutNote|ofDelivery
	}
	seen := w.Recall(value, about|uint32(r.slot), func() uint32 {
		return w.Store.Seen.Id(component.Observation{Kind: kind, Node: r.slot, Op: -1, Value: value})
	})
	after := *r
	after.effects = r.effects[i+1:]
	w.observe(v, seen, r.slot, &after)
}

// scheduleNext adds the invocation of the operation after op.
func (w *Worker) scheduleNext(v []uint32, slot, op int16) []uint32 {
	if k := int(op) + 1; k < len(w.Invocations[slot]) {
		v = w.addPart(v, w.Invocations[slot][k])
	}
	return v
}

// remove removes the part with base b, if there is one.
func (w *Worker) remove(v []uint32, b uint32) []uint32 {
	for i := w.Head; i < len(v); i++ {
		if w.Flats[v[i]].Base == b {
			return w.Cut(v, i)
		}
	}
	return v
}

// send adds a message to the messages in flight, as its channel requires.
func (w *Worker) send(v []uint32, from int16, f *component.Effect) []uint32 {
	to := w.Flats[f.Part].Slot
	if v[to] == component.Down && w.findRestart(v, int(to)) < 0 {
		return v // the receiver is down for good
	}
	if w.separated(v, from, to) {
		return v
	}
	channel := w.Sys.Network.Channel
	if channel == model.Set && slices.ContainsFunc(v[w.Head:], func(id uint32) bool {
		o := &w.Flats[id]
		return o.Trigger == f.Base && o.Kind == component.Kind(model.Deliver) && !o.Optional
	}) {
		return v
	}
	part := f.Part
	if channel == model.FIFO {
		part = w.withPosition(part, w.queueLength(v, from, to))
	}
	if w.pasts {
		part = w.withPast(part, w.carriedPast(v[w.pastAt+int(from)]))
	}
	return w.addPart(v, part)
}

// withPast returns a message with a causal past.
func (w *Worker) withPast(part, past uint32) uint32 {
	return w.Recall(part, aboutPast|past, func() uint32 { return w.With(part, func(b *component.Base) { b.Past = past }) })
}

// withPosition returns a message at another position of its channel.
func (w *Worker) withPosition(part uint32, pos int16) uint32 {
	return w.Recall(part, aboutPlace|uint32(pos), func() uint32 { return w.With(part, func(b *component.Base) { b.Pos = pos }) })
}

// queueLength returns the number of messages in flight in a channel. Messages that may arrive again after a
// restart are not in the queue.
func (w *Worker) queueLength(v []uint32, from, to int16) int16 {
	n := int16(0)
	for _, id := range v[w.Head:] {
		if o := &w.Flats[id]; o.InChannel(from, to) {
			n++
		}
	}
	return n
}

// AdvanceChannel moves up the messages behind a message that left a FIFO channel.
func (w *Worker) AdvanceChannel(v []uint32, left *component.Flat) []uint32 {
	if w.queues && !left.Optional {
		w.shift(v, left, -1)
	}
	return v
}

// shift moves the messages behind m in its channel by a number of positions.
func (w *Worker) shift(v []uint32, m *component.Flat, by int16) {
	for i := w.Head; i < len(v); i++ {
		if o := &w.Flats[v[i]]; o.InChannel(m.From, m.Slot) && o.Pos > m.Pos {
			w.replacePart(v, i, w.withPosition(v[i], o.Pos+by))
		}
	}
}

// addReturn adds the return of the running operation.
func (w *Worker) addReturn(v []uint32, slot int16, result uint32) []uint32 {
	app := v[w.AppOf[slot]]
	op := int16(app>>1) - 1
	part := w.Recall(result, aboutResult|uint32(slot)<<16|uint32(op), func() uint32 {
		return w.Pending(w.Store.Base(component.Base{Kind: component.Kind(model.Return), Slot: slot, Op: op, Value: result}), w.Sys.Returned)
	})
	if w.chains != nil {
		part = w.withPast(part, v[w.pastAt+int(slot)])
	}
	return w.addPart(v, part)
}

// eventObservation returns the observation of an event of an application, by number.
func (w *Worker) eventObservation(k model.ObservationKind, f *component.Flat) uint32 {
	return w.Recall(f.Base, aboutEvent, func() uint32 {
		b := w.Store.Bases.Items[f.Base]
		return w.Store.Seen.Id(component.Observation{Kind: k, Node: b.Slot, Op: b.Op, Value: b.Value})
	})
}

// observe notifies the monitors of an observation, in order, and continues with the rest.
func (w *Worker) observe(v []uint32, seen uint32, node int16, r *rest) {
	switch {
	case w.causal != nil:
		seen = w.observePast(v, seen, node)
	case w.chains != nil:
		seen = w.observeChain(v, seen, node, v[w.pastAt+int(node)])
	}
	w.notify(v, 0, seen, node, r)
}

// observePast adds an observation to the causal past of its node, if the claim selects it, and returns the
// observation with that past.
func (w *Worker) observePast(v []uint32, seen uint32, node int16) uint32 {
	at := w.pastAt + int(node)
	counts := w.Recall(seen, aboutCausal, func() uint32 {
		if guard.Counts(w.causal, w.Observation(w.Store.Seen.Items[seen])) {
			return 1
		}
		return 0
	})
	if counts == 1 {
		before := v[at]
		w.setPast(v, at, w.Recall(before, aboutCount|uint32(node), func() uint32 {
			past := w.Past(before)
			past[node]++
			return w.PastID(past)
		}))
	}
	past := v[at]
	return w.Recall(seen, aboutSeenPast|past, func() uint32 {
		o := w.Store.Seen.Items[seen]
		o.Past = past
		return w.Store.Seen.Id(o)
	})
}

// notify passes an observation to monitor m and the monitors after it, and continues with the rest.
func (w *Worker) notify(v []uint32, m int, seen uint32, who int16, r *rest) {
	for ; m < w.monitors; m++ {
		at := w.MonitorAt + m
		outcomes := w.reactWatch(v[at], seen).outcomes
		if len(outcomes) > 1 {
			w.branchMonitor(v, m, outcomes, seen, who, r)
			return
		}
		o := &outcomes[0]
		if o.Failed != nil {
			w.withholdMove()
			w.fails(v, int16(w.N+m), "Observe", o.Failed.String())
			return
		}
		w.set(v, at, o.Next)
		w.recordReport(m, who, o)
		for i := range o.Effects {
			v = w.monitorEffect(v, &o.Effects[i])
		}
	}
	w.effects(v, r)
}

// fork continues the successor that is being built in several ways. It calls goOn with 0 … ways-1, each time
// with the move, the sum and the zone as they are now.
func (w *Worker) fork(ways int, goOn func(k int)) {
	before, sum, renewed := w.Move, w.Sum, len(w.renewed)
	zones, trail := w.Zones.snapshot(), w.Tracker.Saved()
	for k := range ways {
		w.Zones.restore(zones)
		w.Tracker.restore(trail)
		w.Move, w.Sum, w.renewed = before, sum, w.renewed[:renewed]
		w.Move.Broken = slices.Clone(before.Broken)
		goOn(k)
	}
	w.Move = before
}

// branchMonitor continues with each outcome of monitor m that time allows.
func (w *Worker) branchMonitor(v []uint32, m int, outcomes []component.Outcome, seen uint32, who int16, r *rest) {
	w.fork(len(outcomes), func(i int) {
		o := &outcomes[i]
		if !w.allowedInSuccessor(v, o) {
			return
		}
		w.Move.Picks = slices.Concat(w.Move.Picks, o.Picks)
		next := slices.Clone(v)
		if o.Failed != nil {
			w.withholdMove()
			w.fails(next, int16(w.N+m), "Observe", o.Failed.String())
			return
		}
		w.set(next, w.MonitorAt+m, o.Next)
		w.recordReport(m, who, o)
		for k := range o.Effects {
			next = w.monitorEffect(next, &o.Effects[k])
		}
		w.notify(next, m+1, seen, who, r)
	})
}

func (w *Worker) monitorEffect(v []uint32, f *component.Effect) []uint32 {
	v = w.remove(v, f.Base)
	if f.Do == component.Arm {
		v = w.addPart(v, f.Part)
		w.noteRenewed(f)
	}
	return v
}

// recordReport appends the report of a monitor to the move.
func (w *Worker) recordReport(m int, who int16, o *component.Outcome) {
	if o.Witness {
		w.Move.Witness |= 1 << m
		if o.Measured != 0 {
			w.Move.Broken = append(w.Move.Broken, Broken{Monitor: m, Who: who, Measured: o.Measured})
		}
	}
	if o.Violation != "" {
		w.Move.Broken = append(w.Move.Broken, Broken{Monitor: m, Text: o.Violation, Who: who})
	}
}

// mergePast adds a message's causal past to the past of its receiver.
func (w *Worker) mergePast(v []uint32, slot int16, past uint32) {
	at := w.pastAt + int(slot)
	mine := v[at]
	w.setPast(v, at, w.Recall(mine, aboutUnion|past, func() uint32 {
		union := w.Past(mine)
		for i, x := range w.Past(past) {
			union[i] = max(union[i], x)
		}
		return w.PastID(union)
	}))
}
