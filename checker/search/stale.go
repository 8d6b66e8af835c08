package search

import (
	"fmt"

	"contend/model"
)

// absorber deletes messages that no longer matter: those whose handler does nothing
// in the receiver's present state, and will do nothing in any state the receiver
// goes on to. The first half is seen at once; the second is guessed, and checked on
// every local transition that the search takes. A message that turns out to matter
// after all refutes the guess for its type: the search starts again without it.
//
// In a timed search what may come once more after a restart is left to time.
//
// A deleted message's delivery would have been a stuttering step, so reachable
// labels, deadlocks and possibilities stay the same. Untimed, so is an echo's: a
// message to which the receiver only answers, with messages that are stale where
// they go. A late invocation is one, when its server refuses it and its client has
// gone on.
type absorber struct {
	off    bool
	spared map[string]bool // message types that the guess is wrong for
	stale  map[uint64]bool // (local, trigger) → absorbed there
	held   map[uint32][]uint32
	after  map[uint32][]uint32 // local → the locals it went on to
	echoes map[echo]bool       // whether a message is one
	calls  map[uint32][]echo   // local → the echoes that were absorbed there
	e      *engine
}

// An echo is a message in a state of its receiver, to which it answers only the node
// that is in another state.
type echo struct{ state, trigger, answered uint32 }

func newAbsorber(e *engine, off bool, spared map[string]bool) *absorber {
	return &absorber{e: e, off: off, spared: spared,
		stale: map[uint64]bool{}, held: map[uint32][]uint32{}, after: map[uint32][]uint32{},
		echoes: map[echo]bool{}, calls: map[uint32][]echo{}}
}

func (a *absorber) isStale(state, trigger uint32) bool {
	key := pair(state, trigger)
	if s, ok := a.stale[key]; ok {
		return s
	}
	s := a.idle(state, trigger) && !a.spared[a.typeOf(trigger)]
	a.stale[key] = s
	if s {
		a.keep(state, trigger)
	}
	return s
}

// idle reports whether the handler does nothing.
func (a *absorber) idle(state, trigger uint32) bool {
	rs := a.e.allResults[a.e.lookup(state, trigger)]
	return len(rs) == 1 && rs[0].idle && rs[0].cut < 0
}

// keep notes that a message was absorbed in a state, there and in what follows.
func (a *absorber) keep(state, trigger uint32) {
	a.held[state] = append(a.held[state], trigger)
	for _, next := range a.after[state] {
		a.mustBeStale(next, trigger)
	}
}

func (a *absorber) mustBeStale(state, trigger uint32) {
	if !a.idle(state, trigger) {
		a.e.refused.matter[a.typeOf(trigger)] = true
		return
	}
	if key := pair(state, trigger); !a.stale[key] {
		a.stale[key] = true
		a.keep(state, trigger)
	}
}

// isEcho reports whether a message is an echo.
func (a *absorber) isEcho(c echo) bool {
	is, known := a.echoes[c]
	if !known {
		is = !a.spared[echoOf+a.typeOf(c.trigger)] && a.echoed(c)
		a.echoes[c] = is
		if is {
			a.absorbEcho(c)
		}
	}
	return is
}

// answers returns the one node that a receiver answers when it does nothing else on
// a message, or -1.
func answers(rs []outcome, state uint32, bases []base) int16 {
	if len(rs) != 1 || rs[0].next != state || rs[0].cut >= 0 || len(rs[0].picks) > 0 || len(rs[0].effects) == 0 {
		return -1
	}
	to := int16(-1)
	for _, f := range rs[0].effects {
		if f.do != send {
			return -1
		}
		at := bases[f.base].slot
		if to >= 0 && to != at {
			return -1
		}
		to = at
	}
	return to
}

// echoed reports whether all answers are stale where they go.
func (a *absorber) echoed(c echo) bool {
	rs := a.e.allResults[a.e.lookup(c.state, c.trigger)]
	to := answers(rs, c.state, a.e.bases.items)
	if to < 0 || to != a.e.locals.items[c.answered].slot {
		return false
	}
	for _, f := range rs[0].effects {
		if !a.isStale(c.answered, a.e.triggers[f.base]) {
			return false
		}
	}
	return true
}

// absorbEcho notes that an echo was absorbed, there and in what the receiver goes on
// to: whatever it would answer then must be stale already.
func (a *absorber) absorbEcho(c echo) {
	a.calls[c.state] = append(a.calls[c.state], c)
	for _, next := range a.after[c.state] {
		a.mustEcho(next, c)
	}
}

func (a *absorber) mustEcho(state uint32, c echo) {
	c.state = state
	if is, known := a.echoes[c]; known && is {
		return
	}
	if !a.idle(state, c.trigger) && !a.echoed(c) {
		a.e.refused.matter[echoOf+a.typeOf(c.trigger)] = true
		return
	}
	a.echoes[c] = true
	a.absorbEcho(c)
}

// echoOf marks the guess about echoes among those about message types.
const echoOf = "an echo of "

// edge notes that a local state goes on to another, and that under symmetry those of
// the others of its group do so too: the search may absorb a message at one server and go
// on from there only in a renamed state, met before.
func (a *absorber) edge(from, to uint32) {
	if from == to {
		return
	}
	for _, known := range a.after[from] {
		if known == to {
			return
		}
	}
	a.after[from] = append(a.after[from], to)
	for _, trigger := range a.held[from] {
		a.mustBeStale(to, trigger)
	}
	for _, c := range a.calls[from] {
		a.mustEcho(to, c)
	}
	if sym := a.e.sym; sym != nil {
		for _, swap := range sym.swaps {
			a.edge(sym.local(from, swap.perm), sym.local(to, swap.perm))
		}
	}
}

func (a *absorber) typeOf(trigger uint32) string {
	return fmt.Sprintf("%T", a.e.decoded(a.e.bases.items[trigger].value))
}

// absorbStale deletes the stale messages of a successor.
func (w *worker) absorbStale(v []uint32) []uint32 {
	for i := w.head; i < len(v); i++ {
		f := &w.flats[v[i]]
		if model.EventKind(f.kind) != model.Deliver || v[f.slot] == down || w.timed && f.optional {
			continue
		}
		r := w.react(v[f.slot], f.trigger)
		if w.isStale(r, v[f.slot], f.trigger) || r.to >= 0 && !w.timed && w.isEcho(r, v, f) {
			v = w.advanceChannel(w.cut(v, i), f)
			w.absorbed++
			i--
		}
	}
	return v
}

func (w *worker) isStale(r *reaction, state, trigger uint32) bool {
	if !r.asked {
		w.ask(func() { r.stale = w.absorb.isStale(state, trigger) })
		r.asked = true
	}
	return r.stale
}

// isEcho reports whether a message is an echo. In a timed search none is, since its
// answer would have to arrive in time.
func (w *worker) isEcho(r *reaction, v []uint32, f *flat) bool {
	answered := v[r.to]
	if answered == down {
		return false
	}
	key := pair(r.id+1, answered)
	is, known := w.echoes.get(key)
	if !known {
		w.ask(func() {
			if w.absorb.isEcho(echo{v[f.slot], f.trigger, answered}) {
				is = 1
			}
		})
		w.echoes.put(key, is)
	}
	return is == 1
}

// goesOn notes a local transition that the search takes.
func (w *worker) goesOn(from, to uint32) {
	if w.absorb.off || from == to {
		return
	}
	key := pair(from, to)
	if _, known := w.edges.get(key); !known {
		w.ask(func() { w.absorb.edge(from, to) })
		w.edges.put(key, 1)
	}
}
