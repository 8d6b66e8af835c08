package step

import (
	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
)

// What a memo about crashes is about, beside aboutCrash.
const (
	ofCrash      = iota // the observation of a crash
	ofRestart           // that of a node that is back
	ofStart             // the trigger of Start
	ofStored            // of a local state: what a crash leaves of it
	ofHeal              // of what heals a cut of the network, without its time: the part
	ofReborn            // of that: the local state before Start
	ofReport            // a report of the failure detector, by its base
	ofMistake           // one that withdraws a false suspicion, by its base
	ofReportBase        // of a node and another: the base of a report; and of those of the other kinds
)

// crashes takes each crash that may strike a node, and lets each come back that may.
func (w *Worker) crashes(v []uint32) {
	for i := range w.N {
		if v[i] == component.Down {
			if k := w.stored(v, i); k >= 0 {
				w.restart(v, i, k)
			}
			continue
		}
		comesBack, forGood := w.mayCrash(v, i)
		if comesBack {
			w.crash(v, i, model.Crash, true)
		}
		if forGood {
			kind := model.Crash
			if w.recovers[i] {
				kind = model.Stop
			}
			w.crash(v, i, kind, false)
		}
	}
}

// stored finds the part that says how a node which is down comes back; -1 if it does not.
func (w *Worker) stored(v []uint32, i int) int {
	if !w.recovers[i] {
		return -1
	}
	for k := w.Head; k < len(v); k++ {
		if f := &w.Flats[v[k]]; f.Kind == component.Stored && int(f.Slot) == i {
			return k
		}
	}
	return -1
}

// crash takes a node down, with its timers, holds and application.
func (w *Worker) crash(v []uint32, i int, kind model.EventKind, comesBack bool) {
	next, within := w.copied(v), w.AppOf[i] >= 0 && v[w.AppOf[i]]&1 == 1
	for k := w.Head; k < len(next); {
		f := &w.Flats[next[k]]
		within = within || int(f.Slot) == i && f.Kind == component.Kind(model.Release)
		if int(f.Slot) != i || comesBack && (f.Kind == component.Kind(model.Deliver) || f.Kind == component.Delivered) {
			k++
			continue
		}
		next = w.Cut(next, k)
	}
	if comesBack {
		w.spend(next, restartShift)
		next = w.store(next, i, v[i])
	} else {
		w.spend(next, crashShift)
	}
	w.set(next, i, component.Down)
	next = w.reports(next, i, true)
	if at := w.AppOf[i]; at >= 0 {
		w.number(next, at, next[at]&^1)
		if comesBack && within {
			w.number(next, at, next[at]|1) // until it is back, the operation has not ended
		}
	}
	w.Move = Move{Kind: kind, Delay: w.Move.Delay, Slot: int16(i)}
	w.observe(next, w.seenOf(model.Crashed, i, ofCrash), int16(i), &rest{slot: int16(i)})
}

// store keeps what a crash leaves of a local state. To absorption each state in which the node
// may be once Start has run follows it: no message comes before.
func (w *Worker) store(v []uint32, i int, local uint32) []uint32 {
	part := w.Recall(local, aboutCrash|ofStored, func() uint32 { return w.Stored(int16(i), local) })
	if w.Absorb != nil {
		for _, o := range w.starts(w.reborn(part), i) {
			if o.Failed == nil {
				w.goesOn(local, o.Next)
			}
		}
	}
	return w.put(v, part)
}

// reborn is the local state of a node that comes back, before Start.
func (w *Worker) reborn(part uint32) uint32 {
	return w.Recall(part, aboutCrash|ofReborn, func() uint32 { return w.Reborn(part) })
}

// seenOf is what monitors see of a crash, or of a node that is back.
func (w *Worker) seenOf(kind model.ObservationKind, i int, of uint32) uint32 {
	return w.Recall(uint32(i), aboutCrash|of, func() uint32 {
		return w.Seen.Id(component.Observation{Kind: kind, Node: int16(i), Op: -1, Value: w.Value(nil)})
	})
}

// restart lets a node come back: how, the k-th part says. What reached it before may come again,
// and its application goes on.
func (w *Worker) restart(v []uint32, i, k int) {
	w.Move = Move{Kind: model.Restart, Delay: w.Move.Delay, Slot: int16(i)}
	w.Repairs = true
	local := w.reborn(v[k])
	w.each(w.starts(local, i), func(o *component.Outcome) {
		next := w.comesBack(v, i, k)
		how, picks := w.failure(next, int16(i), false, o)
		if how == "" && o.Cut >= 0 {
			w.Cuts |= 1 << o.Cut
			w.Kept |= liveness.Repair
			return
		}
		if !w.allowed(next, o) {
			return
		}
		if w.Move.Picks, w.Move.Broken, w.Move.Witness = picks, nil, 0; how != "" {
			w.Kept |= liveness.Repair
			w.fails(next, int16(i), "Start", how)
			return
		}
		w.set(next, i, o.Next)
		w.observe(next, w.seenOf(model.Recovered, i, ofRestart), int16(i), &rest{slot: int16(i), effects: o.Effects})
	})
}

// comesBack is the state in which a node is about to start again.
func (w *Worker) comesBack(v []uint32, i, k int) []uint32 {
	next := w.Cut(w.copied(v), k)
	for k := w.Head; k < len(next); {
		if f := &w.Flats[next[k]]; f.Kind == component.Delivered && int(f.Slot) == i {
			next = w.comesAgain(next, k)
		} else {
			k++
		}
	}
	if at := w.AppOf[i]; at >= 0 {
		w.number(next, at, next[at]&^1)
		if begun := next[at] >> 1; int(begun) < len(w.Invocations[i]) {
			next = w.put(next, w.Invocations[i][begun])
		}
	}
	return w.catchesUp(w.reports(next, i, false), i)
}

// comesAgain lets a message arrive once more, that of the k-th part.
func (w *Worker) comesAgain(v []uint32, k int) []uint32 {
	part := v[k]
	again := w.Recall(part, aboutOptional, func() uint32 {
		return w.With(part, func(b *component.Base) { b.Kind, b.Optional = component.Kind(model.Deliver), true })
	})
	w.replace(v, k, again)
	return v
}

// keepForRestart remembers a delivery, of the first message in its channel, to a node that may yet crash and come back.
func (w *Worker) keepForRestart(v []uint32, part uint32, f *component.Flat) []uint32 {
	v = w.put(v, w.Recall(part, aboutDelivered, func() uint32 {
		return w.With(part, func(b *component.Base) { b.Kind, b.Optional = component.Delivered, false })
	}))
	if w.Tracker != nil {
		w.Tracker.same(int(w.Move.place) - w.Head)
	}
	return v
}
