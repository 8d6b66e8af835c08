package step

import (
	"slices"

	"contend/checker/search/component"
	"contend/model"
	"contend/model/guard"
)

// A rest is what remains to be done for a step: a handler's effects in order, and
// what comes then. It is not changed.
type rest struct {
	slot, op int16
	effects  []component.Effect
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
func (w *Worker) effects(v []uint32, r *rest) {
	for i := range r.effects {
		f := &r.effects[i]
		switch f.Do {
		case component.Send:
			v = w.send(v, r.slot, f)
		case component.Arm:
			v = w.put(w.take(v, f.Base), f.Part)
			w.renews(f)
		case component.Disarm:
			v = w.take(v, f.Base)
		case component.Finish:
			v = w.returns(v, r.slot, f.Arg)
		case component.Note, component.Deliver:
			w.noted(v, r, i)
			return
		case component.Tell:
			w.told(v, r, i)
			return
		}
	}
	switch r.then {
	case goOn:
		v = w.goOn(v, r.slot, r.op)
	case stay:
		if w.Sys.Nodes[r.slot].Script[r.op].Release != nil {
			v = w.put(v, w.Releases[r.slot][r.op])
		} else {
			v = w.goOn(v, r.slot, r.op)
		}
	case bootOn:
		w.boot(v, int(r.op))
		return
	}
	w.finish(v)
}

// renews notes that a step sets an alarm, which is a new event if it was set before.
func (w *Worker) renews(f *component.Effect) {
	if w.Fair && w.Flats[f.Part].Kind < component.Hold {
		w.renewed = append(w.renewed, f.Base)
	}
}

// noted tells of the i-th effect, a note or a delivery, and goes on after it.
func (w *Worker) noted(v []uint32, r *rest, i int) {
	value, kind, about := r.effects[i].Arg, model.Noted, uint32(aboutNote)
	if r.effects[i].Do == component.Deliver {
		kind, about = model.Delivered, aboutNote|ofDelivery
	}
	seen := w.Recall(value, about|uint32(r.slot), func() uint32 {
		return w.Seen.Id(component.Observation{Kind: kind, Node: r.slot, Op: -1, Value: value})
	})
	after := *r
	after.effects = r.effects[i+1:]
	w.observe(v, seen, r.slot, &after)
}

// goOn schedules the operation after op.
func (w *Worker) goOn(v []uint32, slot, op int16) []uint32 {
	if k := int(op) + 1; k < len(w.Invocations[slot]) {
		v = w.put(v, w.Invocations[slot][k])
	}
	return v
}

// take removes the part with a base, if it is there.
func (w *Worker) take(v []uint32, b uint32) []uint32 {
	for i := w.Head; i < len(v); i++ {
		if w.Flats[v[i]].Base == b {
			return w.Cut(v, i)
		}
	}
	return v
}

// send puts a message into flight, as its channel keeps it.
func (w *Worker) send(v []uint32, from int16, f *component.Effect) []uint32 {
	to := w.Flats[f.Part].Slot
	if v[to] == component.Down && w.stored(v, int(to)) < 0 {
		return v // nobody is there, or ever will be
	}
	if w.parted(v, from, to) {
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
		part = w.placed(part, w.queued(v, from, to))
	}
	if w.pasts {
		part = w.with(part, w.carried(v[w.pastAt+int(from)]))
	}
	return w.put(v, part)
}

// with returns a part that has a causal past.
func (w *Worker) with(part, past uint32) uint32 {
	return w.Recall(part, aboutPast|past, func() uint32 { return w.With(part, func(b *component.Base) { b.Past = past }) })
}

// placed returns a message at another place of its channel.
func (w *Worker) placed(part uint32, pos int16) uint32 {
	return w.Recall(part, aboutPlace|uint32(pos), func() uint32 { return w.With(part, func(b *component.Base) { b.Pos = pos }) })
}

// queued counts the messages in flight in a channel. Those that may arrive once more
// after a restart stand outside the queue.
func (w *Worker) queued(v []uint32, from, to int16) int16 {
	n := int16(0)
	for _, id := range v[w.Head:] {
		if o := &w.Flats[id]; o.InChannel(from, to) {
			n++
		}
	}
	return n
}

// AdvanceChannel moves up what stands behind a message that left a FIFO channel.
func (w *Worker) AdvanceChannel(v []uint32, left *component.Flat) []uint32 {
	if w.queues && !left.Optional {
		w.shift(v, left, -1)
	}
	return v
}

// shift moves the messages behind one in its channel.
func (w *Worker) shift(v []uint32, m *component.Flat, by int16) {
	for i := w.Head; i < len(v); i++ {
		if o := &w.Flats[v[i]]; o.InChannel(m.From, m.Slot) && o.Pos > m.Pos {
			w.replace(v, i, w.placed(v[i], o.Pos+by))
		}
	}
}

// returns puts the return of the running operation into the bag.
func (w *Worker) returns(v []uint32, slot int16, result uint32) []uint32 {
	app := v[w.AppOf[slot]]
	op := int16(app>>1) - 1
	part := w.Recall(result, aboutResult|uint32(slot)<<16|uint32(op), func() uint32 {
		return w.Pending(w.Store.Base(component.Base{Kind: component.Kind(model.Return), Slot: slot, Op: op, Value: result}), w.Sys.Returned)
	})
	if w.chains != nil {
		part = w.with(part, v[w.pastAt+int(slot)])
	}
	return w.put(v, part)
}

// seenEvent is what monitors see of an event of an application.
func (w *Worker) seenEvent(k model.ObservationKind, f *component.Flat) uint32 {
	return w.Recall(f.Base, aboutEvent, func() uint32 {
		b := w.Store.Bases.Items[f.Base]
		return w.Seen.Id(component.Observation{Kind: k, Node: b.Slot, Op: b.Op, Value: b.Value})
	})
}

// observe tells the monitors, in order, and goes on with the rest.
func (w *Worker) observe(v []uint32, seen uint32, node int16, r *rest) {
	switch {
	case w.causal != nil:
		seen = w.observePast(v, seen, node)
	case w.chains != nil:
		seen = w.observeChain(v, seen, node, v[w.pastAt+int(node)])
	}
	w.tell(v, 0, seen, node, r)
}

// observePast adds an observation to the causal past of its node, if the claim selects
// it, and returns it with that past.
func (w *Worker) observePast(v []uint32, seen uint32, node int16) uint32 {
	at := w.pastAt + int(node)
	counts := w.Recall(seen, aboutCausal, func() uint32 {
		if guard.Counts(w.causal, w.Observation(w.Seen.Items[seen])) {
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
		o := w.Seen.Items[seen]
		o.Past = past
		return w.Seen.Id(o)
	})
}

// tell tells monitor m and those after it.
func (w *Worker) tell(v []uint32, m int, seen uint32, who int16, r *rest) {
	for ; m < w.monitors; m++ {
		at := w.MonitorAt + m
		outcomes := w.reactWatch(v[at], seen).outcomes
		if len(outcomes) > 1 {
			w.branch(v, m, outcomes, seen, who, r)
			return
		}
		o := &outcomes[0]
		if o.Failed != nil {
			w.withholdMove()
			w.fails(v, int16(w.N+m), "Observe", o.Failed.String())
			return
		}
		w.set(v, at, o.Next)
		w.blame(m, who, o)
		for i := range o.Effects {
			v = w.monitorEffect(v, &o.Effects[i])
		}
	}
	w.effects(v, r)
}

// fork goes on in several ways with the successor that is being made: each begins with what is
// made so far.
func (w *Worker) fork(ways int, goOn func(k int)) {
	before, sum, renewed := w.Move, w.Sum, len(w.renewed)
	zones, trail := w.Zones.saved(), w.Tracker.Saved()
	for k := range ways {
		w.Zones.restore(zones)
		w.Tracker.restore(trail)
		w.Move, w.Sum, w.renewed = before, sum, w.renewed[:renewed]
		w.Move.Broken = slices.Clone(before.Broken)
		goOn(k)
	}
	w.Move = before
}

// branch goes on for each outcome of monitor m that time allows.
func (w *Worker) branch(v []uint32, m int, outcomes []component.Outcome, seen uint32, who int16, r *rest) {
	w.fork(len(outcomes), func(i int) {
		o := &outcomes[i]
		if !w.allowedOf(v, o) {
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
		w.blame(m, who, o)
		for k := range o.Effects {
			next = w.monitorEffect(next, &o.Effects[k])
		}
		w.tell(next, m+1, seen, who, r)
	})
}

func (w *Worker) monitorEffect(v []uint32, f *component.Effect) []uint32 {
	v = w.take(v, f.Base)
	if f.Do == component.Arm {
		v = w.put(v, f.Part)
		w.renews(f)
	}
	return v
}

// blame keeps what a monitor reported.
func (w *Worker) blame(m int, who int16, o *component.Outcome) {
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

// learn merges a message's causal past into its receiver's.
func (w *Worker) learn(v []uint32, slot int16, past uint32) {
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
