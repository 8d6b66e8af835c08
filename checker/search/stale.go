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
	count  int64
	e      *engine
}

// An echo is a message in a state of its receiver, to which it answers only the node
// that is in another state.
type echo struct{ state, trigger, answered uint32 }

// refutation is the panic that ends a search whose guess was wrong.
type refutation struct{ message string }

func newAbsorber(e *engine, off bool, spared map[string]bool) *absorber {
	return &absorber{e: e, off: off, spared: spared,
		stale: map[uint64]bool{}, held: map[uint32][]uint32{}, after: map[uint32][]uint32{},
		echoes: map[echo]bool{}, calls: map[uint32][]echo{}}
}

// apply deletes the stale messages of a state.
func (a *absorber) apply(e *engine, v []uint32) []uint32 {
	if a.off {
		return v
	}
	for i := e.head; i < len(v); i++ {
		f := &e.flat[v[i]]
		if model.EventKind(f.kind) != model.Deliver || v[f.slot] == down || e.timed && e.bases.items[f.base].optional {
			continue
		}
		if t := e.trigger[f.base]; a.isStale(v[f.slot], t) || a.isEcho(v, f.slot, t) {
			b := f.base
			v = e.advanceChannel(append(v[:i], v[i+1:]...), b)
			a.count++
			i--
		}
	}
	return v
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
	rs := a.e.lookup(state, trigger)
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
		panic(refutation{a.typeOf(trigger)})
	}
	if key := pair(state, trigger); !a.stale[key] {
		a.stale[key] = true
		a.keep(state, trigger)
	}
}

// isEcho reports whether a message is an echo in a state.
func (a *absorber) isEcho(v []uint32, slot int16, trigger uint32) bool {
	if a.e.timed {
		return false // its answer would have to arrive in time
	}
	to := a.answers(v[slot], trigger)
	if to < 0 || v[to] == down {
		return false
	}
	c := echo{v[slot], trigger, v[to]}
	is, known := a.echoes[c]
	if !known {
		is = !a.spared[echoOf+a.typeOf(trigger)] && a.echoed(c)
		a.echoes[c] = is
		if is {
			a.absorbEcho(c)
		}
	}
	return is
}

// answers returns the one node that a receiver answers when it does nothing else on
// a message, or -1.
func (a *absorber) answers(state, trigger uint32) int16 {
	rs := a.e.lookup(state, trigger)
	if len(rs) != 1 || rs[0].next != state || rs[0].cut >= 0 || len(rs[0].picks) > 0 || len(rs[0].effects) == 0 {
		return -1
	}
	to := int16(-1)
	for _, f := range rs[0].effects {
		if f.do != send {
			return -1
		}
		at := a.e.bases.items[f.base].slot
		if to >= 0 && to != at {
			return -1
		}
		to = at
	}
	return to
}

// echoed reports whether all answers are stale where they go.
func (a *absorber) echoed(c echo) bool {
	to := a.answers(c.state, c.trigger)
	if to < 0 || to != a.e.locals.items[c.answered].slot {
		return false
	}
	for _, f := range a.e.lookup(c.state, c.trigger)[0].effects {
		if !a.isStale(c.answered, a.e.trigger[f.base]) {
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
		panic(refutation{echoOf + a.typeOf(c.trigger)})
	}
	a.echoes[c] = true
	a.absorbEcho(c)
}

// echoOf marks the guess about echoes among those about message types.
const echoOf = "an echo of "

// took notes a local transition that the search takes.
func (a *absorber) took(from uint32, o *outcome) {
	if !a.off && !o.taken {
		o.taken = true
		a.edge(from, o.next)
	}
}

// edge notes that a local state goes on to another, and that under symmetry those of
// the other servers do so too: the search may absorb a message at one server and go
// on from there only in a renamed state, met before.
func (a *absorber) edge(from, to uint32) {
	if a.off || from == to {
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
			a.edge(sym.local(from, swap), sym.local(to, swap))
		}
	}
}

func (a *absorber) typeOf(trigger uint32) string {
	return fmt.Sprintf("%T", a.e.decoded(a.e.bases.items[trigger].value))
}
