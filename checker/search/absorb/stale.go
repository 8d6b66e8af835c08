// Package absorb deletes messages that do not matter any more: whose delivery would do nothing
// now and later, or would only be answered by such.
//
// A worker that takes steps hands each successor to a [Cleaner], which takes such messages out.
// That a message will never matter is a guess of the [Absorber], which it checks on every local
// transition that the search takes. The proofs are in docs/proofs/search.md.
package absorb

import (
	"fmt"

	"contend/checker/search/component"
	"contend/checker/search/memo"
	"contend/checker/search/step"
	"contend/model"
)

// Absorber deletes messages that no longer matter: those whose handler does nothing
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
type Absorber struct {
	spared map[string]bool     // message types that the guess is wrong for
	Matter map[string]string   // those of which this search found it, and what they did
	stale  map[uint64]bool     // (local, trigger) → absorbed there
	held   map[uint32][]uint32 // local → the triggers that were absorbed there
	after  map[uint32][]uint32 // local → the locals it went on to
	echoes map[echo]bool       // whether a message is one
	Calls  map[uint32][]echo   // local → the echoes that were absorbed there
	e      *step.Engine
	// Images are what the transpositions of symmetry make of a local state.
	Images []func(local uint32) uint32
	queue  [][2]uint32 // transitions whose images are not noted yet
}

// An echo is a message in a state of its receiver, to which it answers only the node
// that is in another state.
type echo struct{ state, trigger, answered uint32 }

// New makes an absorber for the workers of an engine; spared are the guesses that were refuted.
func New(e *step.Engine, spared map[string]bool) *Absorber {
	return &Absorber{e: e, spared: spared, Matter: map[string]string{},
		stale: map[uint64]bool{}, held: map[uint32][]uint32{}, after: map[uint32][]uint32{},
		echoes: map[echo]bool{}, Calls: map[uint32][]echo{}}
}

func (a *Absorber) isStale(state, trigger uint32) bool {
	key := memo.Pair(state, trigger)
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
func (a *Absorber) idle(state, trigger uint32) (is bool, why string) {
	i, why := a.e.Probe(state, trigger)
	if why != "" {
		return false, "later " + why
	}
	rs := a.e.AllResults[i]
	if rs[0].Idle && rs[0].Cut < 0 {
		return true, ""
	}
	return false, "did something later"
}

// keep notes that a message was absorbed in a state, there and in what follows.
func (a *Absorber) keep(state, trigger uint32) {
	a.held[state] = append(a.held[state], trigger)
	for _, next := range a.after[state] {
		a.mustBeStale(next, trigger)
	}
}

func (a *Absorber) mustBeStale(state, trigger uint32) {
	if idle, why := a.idle(state, trigger); !idle {
		a.refute(a.typeOf(trigger), why)
		return
	}
	if key := memo.Pair(state, trigger); !a.stale[key] {
		a.stale[key] = true
		a.keep(state, trigger)
	}
}

// refute notes that a guess is wrong. Of several reasons the least is given, so that it does
// not depend on which was found first.
func (a *Absorber) refute(guess, why string) {
	if known, ok := a.Matter[guess]; !ok || why < known {
		a.Matter[guess] = why
	}
}

// isEcho reports whether a message is an echo.
func (a *Absorber) isEcho(c echo) bool {
	is, known := a.echoes[c]
	if !known {
		is = !a.spared[EchoOf+a.typeOf(c.trigger)] && a.echoed(c)
		a.echoes[c] = is
		if is {
			a.absorbEcho(c)
		}
	}
	return is
}

// echoed reports whether all answers are stale where they go. To a node that is down none is.
func (a *Absorber) echoed(c echo) bool {
	i, why := a.e.Probe(c.state, c.trigger)
	if why != "" {
		return false
	}
	rs := a.e.AllResults[i]
	to := step.Answers(rs, c.state, a.e.Bases.Items)
	if to < 0 || to != a.e.Locals.Items[c.answered].Slot {
		return false
	}
	for _, f := range rs[0].Effects {
		if !a.isStale(c.answered, a.e.Triggers[f.Base]) {
			return false
		}
	}
	return true
}

// absorbEcho notes that an echo was absorbed, there and in what the receiver goes on
// to: whatever it would answer then must be stale already.
func (a *Absorber) absorbEcho(c echo) {
	a.Calls[c.state] = append(a.Calls[c.state], c)
	for _, next := range a.after[c.state] {
		a.mustEcho(next, c)
	}
}

func (a *Absorber) mustEcho(state uint32, c echo) {
	c.state = state
	if a.echoes[c] {
		return
	}
	if idle, why := a.idle(state, c.trigger); !idle && !a.echoed(c) {
		a.refute(EchoOf+a.typeOf(c.trigger), why)
		return
	}
	a.echoes[c] = true
	a.absorbEcho(c)
}

// EchoOf marks the guess about echoes among those about message types.
const EchoOf = "an echo of "

// edge notes that a local state goes on to another. Under symmetry those of the others of its
// group do so too, which Settle notes: the search may absorb a message at one server and go on
// from there only in a renamed state, met before.
func (a *Absorber) edge(from, to uint32) {
	for _, known := range a.after[from] {
		if known == to {
			return
		}
	}
	a.after[from] = append(a.after[from], to)
	for _, trigger := range a.held[from] {
		a.mustBeStale(to, trigger)
	}
	for _, c := range a.Calls[from] {
		a.mustEcho(to, c)
	}
	if len(a.Images) > 0 {
		a.queue = append(a.queue, [2]uint32{from, to})
	}
}

// Settle notes the images of up to n transitions, the last first, and reports whether images of
// some are still to be noted. They are as many as a group has orders, where states name its members.
func (a *Absorber) Settle(n int) bool {
	for ; n > 0 && len(a.queue) > 0; n-- {
		last := len(a.queue) - 1
		from, to := a.queue[last][0], a.queue[last][1]
		a.queue = a.queue[:last]
		for _, image := range a.Images {
			a.edge(image(from), image(to))
		}
	}
	return a.Unsettled()
}

// Unsettled reports whether the images of some transition are still to be noted.
func (a *Absorber) Unsettled() bool { return len(a.queue) > 0 }

func (a *Absorber) typeOf(trigger uint32) string {
	return fmt.Sprintf("%T", a.e.Decoded(a.e.Bases.Items[trigger].Value))
}

// A Cleaner is a worker's side of the absorber, with what it remembers of it.
type Cleaner struct {
	*Absorber
	w        *step.Worker
	isEchoed memo.Table // (reaction, local of the answered) → whether it is an echo
	met      memo.Table // (local, local it went on to), known to the absorber
	fails    memo.Table // (local, trigger) → whether the handler fails there
	Count    int64      // messages that were absorbed
}

// NewCleaner makes the side of one worker.
func NewCleaner(a *Absorber, w *step.Worker) *Cleaner {
	return &Cleaner{Absorber: a, w: w, isEchoed: memo.New(), met: memo.New(), fails: memo.New()}
}

// Clean deletes the stale messages of a successor.
func (a *Cleaner) Clean(v []uint32) []uint32 {
	w := a.w
	for i := w.Head; i < len(v); i++ {
		f := &w.Flats[v[i]]
		if model.EventKind(f.Kind) != model.Deliver || v[f.Slot] == component.Down || w.Timed && f.Optional {
			continue
		}
		r := a.react(v[f.Slot], f.Trigger)
		if r == nil {
			continue
		}
		if a.knownStale(r, v[f.Slot], f.Trigger) || r.To >= 0 && w.Uses.Echoes && a.knownEcho(r, v, f) {
			v = w.AdvanceChannel(w.Cut(v, i), f)
			a.Count++
			i--
		}
	}
	return v
}

// react returns what a node would do on a message in flight, or nil when it would fail: the
// search itself may never deliver it there.
func (a *Cleaner) react(state, trigger uint32) *step.Reaction {
	key := memo.Pair(state, trigger)
	if i, ok := a.w.Handled.Get(key); ok && !a.w.NoCache {
		a.w.Lookups++
		return &a.w.Reactions[i]
	}
	fails, known := a.fails.Get(key)
	if !known {
		a.w.Ask(func() {
			if a.e.ProbeTaken(state, trigger) != "" {
				fails = 1
			}
		})
		a.fails.Put(key, fails)
	}
	if fails == 1 {
		return nil
	}
	return a.w.React(state, trigger)
}

// knownStale is isStale, asked once for each reaction.
func (a *Cleaner) knownStale(r *step.Reaction, state, trigger uint32) bool {
	if !r.Asked {
		a.w.Ask(func() { r.Stale = a.isStale(state, trigger) })
		r.Asked = true
	}
	return r.Stale
}

// knownEcho reports whether a message is an echo. In a timed search none is, since its
// answer would have to arrive in time.
func (a *Cleaner) knownEcho(r *step.Reaction, v []uint32, f *component.Flat) bool {
	answered := v[r.To]
	key := memo.Pair(r.Id+1, answered)
	is, known := a.isEchoed.Get(key)
	if !known {
		a.w.Ask(func() {
			if a.isEcho(echo{v[f.Slot], f.Trigger, answered}) {
				is = 1
			}
		})
		a.isEchoed.Put(key, is)
	}
	return is == 1
}

// GoesOn notes a local transition that the search takes.
func (a *Cleaner) GoesOn(from, to uint32) {
	if from == to {
		return
	}
	key := memo.Pair(from, to)
	if _, known := a.met.Get(key); !known {
		a.w.Ask(func() { a.edge(from, to) })
		a.met.Put(key, 1)
	}
}
