package step

import (
	"fmt"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
	"contend/model/guard"
)

// Positions of the faults' counts in the budget component, in bits. A count has 8 bits.
const (
	lossShift, duplicationShift, crashShift, restartShift = 0, 8, 16, 24
)

// Positions of counts in the component at moreAt.
const suspicionShift, partitionShift = 0, 8

func budgetLeft(budget uint32, shift int) bool { return budget>>shift&255 > 0 }

// environment emits the successors of each move that the environment's budget allows, and of each forged
// message of a Byzantine node.
func (w *Worker) environment(v []uint32) {
	if w.Zones != nil {
		w.Zones.pass()
	}
	if budget := v[w.BudgetAt]; budget != 0 {
		w.messages(v, budget)
	}
	if w.strikes {
		w.crashes(v)
		w.falseSuspicions(v)
		w.partitionMoves(v)
	}
	if w.Sys.Forge != nil {
		w.forgeries(v)
	}
}

// spend decrements the budget of a fault.
func (w *Worker) spend(v []uint32, shift int) { w.number(v, w.BudgetAt, v[w.BudgetAt]-1<<shift) }

// messages emits the loss and the duplication of each message in flight.
func (w *Worker) messages(v []uint32, budget uint32) {
	for i := w.Head; i < len(v); i++ {
		f := &w.Flats[v[i]]
		if model.EventKind(f.Kind) != model.Deliver || f.Optional || w.twin(v, i) {
			continue
		}
		if budgetLeft(budget, lossShift) {
			w.lose(v, i, f)
		}
		if budgetLeft(budget, duplicationShift) {
			w.duplicate(v, i, f)
		}
	}
}

func (w *Worker) lose(v []uint32, i int, f *component.Flat) {
	w.Move = Move{Kind: model.Lose, Delay: w.Move.Delay, Base: f.Base, index: int32(i)}
	next := w.AdvanceChannel(w.copyWithout(v, i), f)
	w.spend(next, lossShift)
	w.finish(next)
}

func (w *Worker) duplicate(v []uint32, i int, f *component.Flat) {
	w.Move = Move{Kind: model.Duplicate, Delay: w.Move.Delay, Base: f.Base, index: int32(i)}
	next := w.copyState(v)
	w.spend(next, duplicationShift)
	again := v[i]
	if w.Sys.Network.Channel == model.FIFO {
		w.shift(next, f, 1) // the copy comes right behind
		again = w.withPosition(again, f.Pos+1)
	}
	next = w.addPart(next, again)
	w.finish(next)
}

// forgeries delivers each forged message that has an effect.
func (w *Worker) forgeries(v []uint32) {
	for i := range w.N {
		if v[i] == component.Down {
			continue
		}
		alphabet, how := w.alphabet(v[i])
		if how != "" {
			w.WithheldFlags |= liveness.Environment
			w.Move = Move{Kind: model.Forge, Delay: w.Move.Delay, Slot: int16(i)}
			w.fails(w.copyState(v), int16(i), "Forge", how)
		}
		for _, trigger := range alphabet {
			if w.separated(v, w.bases[trigger].From, int16(i)) {
				continue
			}
			w.forge(v, i, trigger)
		}
	}
}

// forge delivers a forged message to node i.
func (w *Worker) forge(v []uint32, i int, trigger uint32) {
	w.Move = Move{Kind: model.Forge, Delay: w.Move.Delay, Base: trigger}
	r := w.React(v[i], trigger)
	if r.sends && w.Sketch != nil {
		if !r.outcomes[0].Idle {
			w.emitDraft(v, noPart, int16(i), w.presentPrint, r)
		}
		return
	}
	w.each(r.outcomes, func(o *component.Outcome) {
		if o.Idle {
			return // the successor equals the state
		}
		if next, ok := w.beginOutcome(v, int16(i), o, "Receive"); ok {
			w.set(next, i, o.Next)
			w.effects(next, &rest{slot: int16(i), effects: o.Effects})
		}
	})
}

// beginOutcome begins the successor in which a handler, called by a move of the environment, has an outcome. It
// returns false if time or a cut forbids the outcome, or if the handler fails.
func (w *Worker) beginOutcome(v []uint32, slot int16, o *component.Outcome, handler string) (next []uint32, ok bool) {
	if !w.allowed(v, o) {
		return nil, false
	}
	how, picks := w.failure(v, slot, false, o)
	if how == "" && o.Cut >= 0 {
		w.Cuts |= 1 << o.Cut
		w.WithheldFlags |= liveness.Environment
		return nil, false
	}
	next = w.copyState(v)
	if w.Move.Picks, w.Move.Broken, w.Move.Witness = picks, nil, 0; how != "" {
		w.WithheldFlags |= liveness.Environment
		w.fails(next, slot, handler, how)
		return nil, false
	}
	w.goesOn(v[slot], o.Next)
	return next, true
}

// alphabet returns the triggers of the messages that may be forged to a node in a local state. If Forge fails,
// how is the failure.
func (w *Worker) alphabet(state uint32) (list []uint32, how string) {
	i, ok := w.forged.Get(uint64(state))
	if !ok {
		w.Ask(func() { i, how = w.Engine.Alphabet(state) })
		if how != "" {
			return nil, how
		}
		w.forged.Put(uint64(state), i)
	}
	return w.forges[i], ""
}

// Alphabet returns the index in AllForges of the messages that may be forged to a node in a local state. If
// Forge fails, how is the failure. It panics with an [component.Impure] if Forge changes the node.
func (e *Engine) Alphabet(state uint32) (i uint32, how string) {
	if i, ok := e.forged.Get(uint64(state)); ok {
		return i, ""
	}
	l := e.Locals.Items[state]
	n := e.Codec.DecodeNode(e.Protos[l.Slot], []byte(l.Bytes))
	var list []uint32
	for u, spec := range e.Sys.Nodes {
		if !spec.Byzantine {
			continue
		}
		messages, f := guard.Forge(e.Sys, n, model.NodeID(l.Slot), model.NodeID(u))
		if f != nil {
			return 0, f.String()
		}
		for _, m := range messages {
			list = append(list, e.Store.Base(component.Base{Kind: component.Kind(model.Forge), Slot: l.Slot, From: int16(u), Value: e.Value(m)}))
		}
	}
	if string(e.Codec.Node(n, nil)) != l.Bytes {
		panic(component.Impure{Text: fmt.Sprintf("Forge changes the state of %T", n)})
	}
	i = uint32(len(e.AllForges))
	e.forged.Put(uint64(state), i)
	e.AllForges = append(e.AllForges, list)
	if e.Checks != nil {
		e.Checks.Forged(state, i)
	}
	return i, ""
}
