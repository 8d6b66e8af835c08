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
	spared map[string]bool   // message types that the guess is wrong for
	matter map[string]string // those of which this search found it, and what they did
	stale  map[uint64]bool   // (local, trigger) → absorbed there
	held   map[uint32][]uint32
	after  map[uint32][]uint32 // local → the locals it went on to
	echoes map[echo]bool       // whether a message is one
	calls  map[uint32][]echo   // local → the echoes that were absorbed there
	e      *engine
	// images are what the transpositions of symmetry make of a local state.
	images []func(local uint32) uint32
}

// An echo is a message in a state of its receiver, to which it answers only the node
// that is in another state.
type echo struct{ state, trigger, answered uint32 }

func newAbsorber(e *engine, spared map[string]bool) *absorber {
	return &absorber{e: e, spared: spared, matter: map[string]string{},
		stale: map[uint64]bool{}, held: map[uint32][]uint32{}, after: map[uint32][]uint32{},
		echoes: map[echo]bool{}, calls: map[uint32][]echo{}}
}

func (a *absorber) isStale(state, trigger uint32) bool {
	key := pair(state, trigger)
	if s, ok := a.stale[key]; ok {
		return s
	}
	idle, _ := a.idle(state, trigger)
	s := idle && !a.spared[a.typeOf(trigger)]
	a.stale[key] = s
	if s {
		a.keep(state, trigger)
	}
	return s
}

// idle reports whether the handler does nothing; if not, why says what else.
func (a *absorber) idle(state, trigger uint32) (is bool, why string) {
	i, why := a.e.probe(state, trigger)
	if why != "" {
		return false, "later " + why
	}
	rs := a.e.allResults[i]
	if len(rs) == 1 && rs[0].idle && rs[0].cut < 0 {
		return true, ""
	}
	return false, "did something later"
}

// keep notes that a message was absorbed in a state, there and in what follows.
func (a *absorber) keep(state, trigger uint32) {
	a.held[state] = append(a.held[state], trigger)
	for _, next := range a.after[state] {
		a.mustBeStale(next, trigger)
	}
}

func (a *absorber) mustBeStale(state, trigger uint32) {
	if idle, why := a.idle(state, trigger); !idle {
		a.refute(a.typeOf(trigger), why)
		return
	}
	if key := pair(state, trigger); !a.stale[key] {
		a.stale[key] = true
		a.keep(state, trigger)
	}
}

// refute notes that a guess is wrong. Of several reasons the least is given, so that it does
// not depend on which was found first.
func (a *absorber) refute(guess, why string) {
	if known, ok := a.matter[guess]; !ok || why < known {
		a.matter[guess] = why
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

// echoed reports whether all answers are stale where they go.
func (a *absorber) echoed(c echo) bool {
	i, why := a.e.probe(c.state, c.trigger)
	if why != "" {
		return false
	}
	rs := a.e.allResults[i]
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
	if idle, why := a.idle(state, c.trigger); !idle && !a.echoed(c) {
		a.refute(echoOf+a.typeOf(c.trigger), why)
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
	for _, image := range a.images {
		a.edge(image(from), image(to))
	}
}

func (a *absorber) typeOf(trigger uint32) string {
	return fmt.Sprintf("%T", a.e.decoded(a.e.bases.items[trigger].value))
}

// An absorption is a worker's side of the absorber, with what it remembers of it.
type absorption struct {
	*absorber
	w        *worker
	isEchoed cache // (reaction, local of the answered) → whether it is an echo
	met      cache // (local, local it went on to), known to the absorber
	fails    cache // (local, trigger) → whether the handler fails there
	absorbed int64
}

func newAbsorption(a *absorber, w *worker) *absorption {
	return &absorption{absorber: a, w: w, isEchoed: newCache(), met: newCache(), fails: newCache()}
}

// Clean deletes the stale messages of a successor.
func (a *absorption) Clean(v []uint32) []uint32 {
	w := a.w
	for i := w.head; i < len(v); i++ {
		f := &w.flats[v[i]]
		if model.EventKind(f.kind) != model.Deliver || v[f.slot] == down || w.timed && f.optional {
			continue
		}
		r := a.react(v[f.slot], f.trigger)
		if r == nil {
			continue
		}
		if a.knownStale(r, v[f.slot], f.trigger) || r.to >= 0 && w.uses.echoes && a.knownEcho(r, v, f) {
			v = w.advanceChannel(w.cut(v, i), f)
			a.absorbed++
			i--
		}
	}
	return v
}

// react returns what a node would do on a message in flight, or nil when it would fail: the
// search itself may never deliver it there.
func (a *absorption) react(state, trigger uint32) *reaction {
	key := pair(state, trigger)
	if i, ok := a.w.handled.get(key); ok && !a.w.noCache {
		a.w.lookups++
		return &a.w.reactions[i]
	}
	fails, known := a.fails.get(key)
	if !known {
		a.w.ask(func() {
			if a.e.probeTaken(state, trigger) != "" {
				fails = 1
			}
		})
		a.fails.put(key, fails)
	}
	if fails == 1 {
		return nil
	}
	return a.w.react(state, trigger)
}

// knownStale is isStale, asked once for each reaction.
func (a *absorption) knownStale(r *reaction, state, trigger uint32) bool {
	if !r.asked {
		a.w.ask(func() { r.stale = a.isStale(state, trigger) })
		r.asked = true
	}
	return r.stale
}

// knownEcho reports whether a message is an echo. In a timed search none is, since its
// answer would have to arrive in time.
func (a *absorption) knownEcho(r *reaction, v []uint32, f *flat) bool {
	answered := v[r.to]
	if answered == down {
		return false
	}
	key := pair(r.id+1, answered)
	is, known := a.isEchoed.get(key)
	if !known {
		a.w.ask(func() {
			if a.isEcho(echo{v[f.slot], f.trigger, answered}) {
				is = 1
			}
		})
		a.isEchoed.put(key, is)
	}
	return is == 1
}

// GoesOn notes a local transition that the search takes.
func (a *absorption) GoesOn(from, to uint32) {
	if from == to {
		return
	}
	key := pair(from, to)
	if _, known := a.met.get(key); !known {
		a.w.ask(func() { a.edge(from, to) })
		a.met.put(key, 1)
	}
}
