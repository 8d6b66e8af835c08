// Package absorb deletes messages that no longer matter: their delivery would do nothing now or later, or would
// only send such messages as answers.
//
// A worker passes each successor to a [Cleaner], which deletes these messages. The [Absorber] guesses that a
// message will never matter, and checks the guess on every local transition that the search takes. The proofs
// are in docs/proofs/search.md.
package absorb

import (
	"fmt"

	"contend/checker/search/component"
	"contend/checker/search/memo"
	"contend/checker/search/step"
	"contend/model"
)

// An Absorber decides which messages no longer matter. The handler of a stale message does nothing in the
// receiver's present state, and in no later state of the receiver. The first half is checked at once. The
// second half is a guess, checked on every local transition that the search takes. A stale message that turns
// out to matter refutes the guess for its type: the search restarts without absorbing this type.
//
// The delivery of a stale message would be a stuttering step, so reachable labels, deadlocks and possibilities
// stay the same. In an untimed search this is also true of an echo: a message that the receiver only answers,
// with messages that are stale at their receivers. An example is a late invocation that its server refuses and
// whose client has moved on.
//
// In a timed search, messages that may arrive again after a restart are not absorbed.
//
// A caller of any method holds the engine's lock, or no worker runs.
type Absorber struct {
	refuted    map[string]bool     // message types whose guess was refuted by an earlier search
	Matter     map[string]string   // refuted guess → reason, in this search
	stale      map[uint64]bool     // (local, trigger) → stale
	absorbed   map[uint32][]uint32 // local → absorbed triggers
	successors map[uint32][]uint32 // local → successors
	echoes     map[echo]bool       // whether a message is an echo
	Calls      map[uint32][]echo   // local → absorbed echoes
	e          *step.Engine
	// Images are the transpositions of symmetry, on local states.
	Images []func(local uint32) uint32
	queue  [][2]uint32 // transitions whose images are not processed yet
}

// An echo is a message, the local state of its receiver, and the local state of the only node that the receiver
// answers.
type echo struct{ state, trigger, answered uint32 }

// New returns an absorber for the workers of an engine. The guesses in spared are not made.
func New(e *step.Engine, spared map[string]bool) *Absorber {
	return &Absorber{e: e, refuted: spared, Matter: map[string]string{},
		stale: map[uint64]bool{}, absorbed: map[uint32][]uint32{}, successors: map[uint32][]uint32{},
		echoes: map[echo]bool{}, Calls: map[uint32][]echo{}}
}

func (a *Absorber) isStale(state, trigger uint32) bool {
	key := memo.Pair(state, trigger)
	if s, ok := a.stale[key]; ok {
		return s
	}
	idle, _ := a.idle(state, trigger)
	s := idle && !a.refuted[a.typeOf(trigger)]
	a.stale[key] = s
	if s {
		a.absorb(state, trigger)
	}
	return s
}

// idle reports whether a handler does nothing. If not, why is the reason.
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

// absorb records an absorbed message, and that it must be stale in each later state.
func (a *Absorber) absorb(state, trigger uint32) {
	a.absorbed[state] = append(a.absorbed[state], trigger)
	for _, next := range a.successors[state] {
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
		a.absorb(state, trigger)
	}
}

// refute records a refuted guess. Of several reasons the least is recorded, so that the result does not depend
// on their order.
func (a *Absorber) refute(guess, why string) {
	if known, ok := a.Matter[guess]; !ok || why < known {
		a.Matter[guess] = why
	}
}

// isEcho reports whether a message is an echo.
func (a *Absorber) isEcho(c echo) bool {
	is, known := a.echoes[c]
	if !known {
		is = !a.refuted[EchoOf+a.typeOf(c.trigger)] && a.answersStale(c)
		a.echoes[c] = is
		if is {
			a.absorbEcho(c)
		}
	}
	return is
}

// answersStale reports whether all answers are stale at their receiver. A node that is down has no stale
// messages.
func (a *Absorber) answersStale(c echo) bool {
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

// absorbEcho records an absorbed echo. In each later state of the receiver, the answers must be stale too.
func (a *Absorber) absorbEcho(c echo) {
	a.Calls[c.state] = append(a.Calls[c.state], c)
	for _, next := range a.successors[c.state] {
		a.mustEcho(next, c)
	}
}

func (a *Absorber) mustEcho(state uint32, c echo) {
	c.state = state
	if a.echoes[c] {
		return
	}
	if idle, why := a.idle(state, c.trigger); !idle && !a.answersStale(c) {
		a.refute(EchoOf+a.typeOf(c.trigger), why)
		return
	}
	a.echoes[c] = true
	a.absorbEcho(c)
}

// EchoOf is the prefix of guesses about echoes; the rest is the message type.
const EchoOf = "an echo of "

// edge records a local transition. With symmetry, Settle records its images too: the search may absorb a
// message at one server, and take the transition only at another server, in a renamed state.
func (a *Absorber) edge(from, to uint32) {
	for _, known := range a.successors[from] {
		if known == to {
			return
		}
	}
	a.successors[from] = append(a.successors[from], to)
	for _, trigger := range a.absorbed[from] {
		a.mustBeStale(to, trigger)
	}
	for _, c := range a.Calls[from] {
		a.mustEcho(to, c)
	}
	if len(a.Images) > 0 {
		a.queue = append(a.queue, [2]uint32{from, to})
	}
}

// Settle records the images of up to n transitions, the last first, and reports whether transitions remain.
// With symmetry, a transition has up to n! images for a group of n.
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

// Unsettled reports whether the images of some transition are not recorded yet.
func (a *Absorber) Unsettled() bool { return len(a.queue) > 0 }

func (a *Absorber) typeOf(trigger uint32) string {
	return fmt.Sprintf("%T", a.e.Decoded(a.e.Bases.Items[trigger].Value))
}

// A Cleaner is a worker's access to the absorber, with memo tables of its own.
type Cleaner struct {
	*Absorber
	w           *step.Worker
	echoMemo    memo.Table // (reaction, local of the answered node) → 1 if an echo
	transitions memo.Table // (local, successor) pairs that the absorber knows
	failures    memo.Table // (local, trigger) → 1 if the handler fails
	Count       int64      // number of absorbed messages
}

// NewCleaner returns the cleaner of a worker.
func NewCleaner(a *Absorber, w *step.Worker) *Cleaner {
	return &Cleaner{Absorber: a, w: w, echoMemo: memo.New(), transitions: memo.New(), failures: memo.New()}
}

// Clean deletes the stale messages and echoes of a successor.
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

// react returns the reaction to a message in flight; nil if the handler would fail. The search may never
// deliver the message in this state.
func (a *Cleaner) react(state, trigger uint32) *step.Reaction {
	key := memo.Pair(state, trigger)
	if i, ok := a.w.Handled.Get(key); ok && !a.w.NoCache {
		a.w.Lookups++
		return &a.w.Reactions[i]
	}
	fails, known := a.failures.Get(key)
	if !known {
		a.w.Ask(func() {
			if a.e.ProbeTaken(state, trigger) != "" {
				fails = 1
			}
		})
		a.failures.Put(key, fails)
	}
	if fails == 1 {
		return nil
	}
	return a.w.React(state, trigger)
}

// knownStale reports whether a message is stale. It calls isStale once for each reaction.
func (a *Cleaner) knownStale(r *step.Reaction, state, trigger uint32) bool {
	if !r.HasStale {
		a.w.Ask(func() { r.Stale = a.isStale(state, trigger) })
		r.HasStale = true
	}
	return r.Stale
}

// knownEcho reports whether a message is an echo. Timed searches have no echoes, since the answer would have a
// deadline.
func (a *Cleaner) knownEcho(r *step.Reaction, v []uint32, f *component.Flat) bool {
	answered := v[r.To]
	key := memo.Pair(r.Id+1, answered)
	is, known := a.echoMemo.Get(key)
	if !known {
		a.w.Ask(func() {
			if a.isEcho(echo{v[f.Slot], f.Trigger, answered}) {
				is = 1
			}
		})
		a.echoMemo.Put(key, is)
	}
	return is == 1
}

// Transition records a local transition that the search takes.
func (a *Cleaner) Transition(from, to uint32) {
	if from == to {
		return
	}
	key := memo.Pair(from, to)
	if _, known := a.transitions.Get(key); !known {
		a.w.Ask(func() { a.edge(from, to) })
		a.transitions.Put(key, 1)
	}
}
