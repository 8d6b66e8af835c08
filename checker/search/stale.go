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
// A deleted message's delivery would have been a stuttering step, so reachable
// labels, deadlocks and possibilities stay the same.
type absorber struct {
	off    bool
	spared map[string]bool // message types that the guess is wrong for
	stale  map[uint64]bool // (local, trigger) → absorbed there
	held   map[uint32][]uint32
	after  map[uint32][]uint32 // local → the locals it went on to
	count  int64
	e      *engine
}

// refutation is the panic that ends a search whose guess was wrong.
type refutation struct{ message string }

func newAbsorber(e *engine, off bool, spared map[string]bool) *absorber {
	return &absorber{e: e, off: off, spared: spared,
		stale: map[uint64]bool{}, held: map[uint32][]uint32{}, after: map[uint32][]uint32{}}
}

// apply deletes the stale messages of a state.
func (a *absorber) apply(e *engine, v []uint32) []uint32 {
	if a.off {
		return v
	}
	for i := e.head; i < len(v); i++ {
		f := &e.flat[v[i]]
		if model.EventKind(f.kind) != model.Deliver || v[f.slot] == down {
			continue
		}
		if t := e.trigger[f.base]; a.isStale(v[f.slot], t) {
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

// took notes a local transition that the search takes.
func (a *absorber) took(from uint32, o *outcome) {
	if !a.off && !o.taken {
		o.taken = true
		a.edge(from, o.next)
	}
}

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
}

func (a *absorber) typeOf(trigger uint32) string {
	return fmt.Sprintf("%T", a.e.decoded(a.e.bases.items[trigger].value))
}
