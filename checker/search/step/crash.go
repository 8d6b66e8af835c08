package step

import (
	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
)

// Keys of memo entries about crashes, in addition to aboutCrash: what the entry holds.
const (
	ofCrash        = iota // the observation of a crash
	ofRestart             // the observation of a restart
	ofStart               // the trigger of Start
	ofStored              // by local state: the part from which the node restarts
	ofHeal                // by base of the event that heals a partition: its part
	ofRestartState        // by part of the ofStored entry: the local state before Start
	ofReport              // by base: a report of the failure detector
	ofMistake             // by base: a report that withdraws a false suspicion
	ofReportBase          // by pair of nodes: the base of a report; the kind of event is added
)

// crashes emits each crash that the budget allows, and each restart of a node that is down.
func (w *Worker) crashes(v []uint32) {
	for i := range w.N {
		if v[i] == component.Down {
			if k := w.findRestart(v, i); k >= 0 {
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

// findRestart returns the index of the part from which a node restarts; -1 if the node stays down.
func (w *Worker) findRestart(v []uint32, i int) int {
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

// crash takes a node down, with its timers, its holds and its application.
func (w *Worker) crash(v []uint32, i int, kind model.EventKind, comesBack bool) {
	next, within := w.copyState(v), w.AppOf[i] >= 0 && v[w.AppOf[i]]&1 == 1
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
		next = w.storeLocal(next, i, v[i])
	} else {
		w.spend(next, crashShift)
	}
	w.set(next, i, component.Down)
	next = w.sendReports(next, i, true)
	if at := w.AppOf[i]; at >= 0 {
		w.number(next, at, next[at]&^1)
		if comesBack && within {
			w.number(next, at, next[at]|1) // the operation ends only after the restart
		}
	}
	w.Move = Move{Kind: kind, Delay: w.Move.Delay, Slot: int16(i)}
	w.observe(next, w.crashObservation(model.Crashed, i, ofCrash), int16(i), &rest{slot: int16(i)})
}

// storeLocal adds the part that holds the stable state of a crashed node. For absorption, every local state
// after Start is a successor of the crashed one: no message arrives in between.
func (w *Worker) storeLocal(v []uint32, i int, local uint32) []uint32 {
	part := w.Recall(local, aboutCrash|ofStored, func() uint32 { return w.Stored(int16(i), local) })
	if w.Absorb != nil {
		for _, o := range w.startOutcomes(w.restartState(part), i) {
			if o.Failed == nil {
				w.goesOn(local, o.Next)
			}
		}
	}
	return w.addPart(v, part)
}

// restartState returns the local state of a restarting node before Start.
func (w *Worker) restartState(part uint32) uint32 {
	return w.Recall(part, aboutCrash|ofRestartState, func() uint32 { return w.Reborn(part) })
}

// crashObservation returns the observation of a crash or of a restart, by number.
func (w *Worker) crashObservation(kind model.ObservationKind, i int, of uint32) uint32 {
	return w.Recall(uint32(i), aboutCrash|of, func() uint32 {
		return w.Store.Seen.Id(component.Observation{Kind: kind, Node: int16(i), Op: -1, Value: w.Value(nil)})
	})
}

// restart emits each restart of node i from the k-th part. Messages that the node received before the crash may
// arrive again, and its application continues.
func (w *Worker) restart(v []uint32, i, k int) {
	w.Move = Move{Kind: model.Restart, Delay: w.Move.Delay, Slot: int16(i)}
	w.Repairs = true
	local := w.restartState(v[k])
	w.each(w.startOutcomes(local, i), func(o *component.Outcome) {
		next := w.beginRestart(v, i, k)
		how, picks := w.failure(next, int16(i), false, o)
		if how == "" && o.Cut >= 0 {
			w.Cuts |= 1 << o.Cut
			w.WithheldFlags |= liveness.Repair
			return
		}
		if !w.allowed(next, o) {
			return
		}
		if w.Move.Picks, w.Move.Broken, w.Move.Witness = picks, nil, 0; how != "" {
			w.WithheldFlags |= liveness.Repair
			w.fails(next, int16(i), "Start", how)
			return
		}
		w.set(next, i, o.Next)
		w.observe(next, w.crashObservation(model.Recovered, i, ofRestart), int16(i), &rest{slot: int16(i), effects: o.Effects})
	})
}

// beginRestart returns the successor in which node i is about to run Start.
func (w *Worker) beginRestart(v []uint32, i, k int) []uint32 {
	next := w.Cut(w.copyState(v), k)
	for k := w.Head; k < len(next); {
		if f := &w.Flats[next[k]]; f.Kind == component.Delivered && int(f.Slot) == i {
			next = w.redeliver(next, k)
		} else {
			k++
		}
	}
	if at := w.AppOf[i]; at >= 0 {
		w.number(next, at, next[at]&^1)
		if begun := next[at] >> 1; int(begun) < len(w.Invocations[i]) {
			next = w.addPart(next, w.Invocations[i][begun])
		}
	}
	return w.reportCrashed(w.sendReports(next, i, false), i)
}

// redeliver makes the delivered message of the k-th part pending again.
func (w *Worker) redeliver(v []uint32, k int) []uint32 {
	part := v[k]
	again := w.Recall(part, aboutOptional, func() uint32 {
		return w.With(part, func(b *component.Base) { b.Kind, b.Optional = component.Kind(model.Deliver), true })
	})
	w.replacePart(v, k, again)
	return v
}

// keepForRestart adds a delivered message as a part, since its receiver may crash, restart and receive it
// again. The message was the first in its channel.
func (w *Worker) keepForRestart(v []uint32, part uint32, f *component.Flat) []uint32 {
	v = w.addPart(v, w.Recall(part, aboutDelivered, func() uint32 {
		return w.With(part, func(b *component.Base) { b.Kind, b.Optional = component.Delivered, false })
	}))
	if w.Tracker != nil {
		w.Tracker.reuse(int(w.Move.index) - w.Head)
	}
	return v
}
