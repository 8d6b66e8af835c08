package walk

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// An Outlook is the result of a search for runs that do not violate a claim.
type Outlook int

// Avoidable: some continuation ends without violating the claim. Inevitable: every continuation without faults
// violates it. Open: not decided, because the search was too small, or reached a cut, a loop or a timed step.
const (
	Open Outlook = iota
	Avoidable
	Inevitable
)

// Avoiding searches for continuations that do not violate a claim. It stores states that have none, so it is
// most efficient from the end of a run backwards.
type Avoiding struct {
	claim string
	steps int             // that the search may still take
	stop  <-chan struct{} // closed to end the search
	marks map[[sha256.Size]byte]mark
	open  bool // the present search omitted something
}

// mark is the result for a state: the search is in the state, has found no end from the state, or has found
// that there is none.
type mark int

const (
	onWay mark = iota + 1
	inVain
	doomed
)

// NewAvoiding returns a search for runs that do not violate the claim. Its searches take at most the given
// number of steps together, and end when stop is closed.
func NewAvoiding(claim string, steps int, stop <-chan struct{}) *Avoiding {
	return &Avoiding{claim: claim, steps: steps, stop: stop, marks: map[[sha256.Size]byte]mark{}}
}

// From searches from the current state of a walk. It does not change the walk, and the state must not violate
// the claim. With [Avoidable] it returns the place at the end of a run without violation.
//
// The search is depth first and omits moves of the environment. A run ends when no other event is pending.
// Each event is taken at its earliest and at its latest instant only, so in a timed walk the result is never
// Inevitable. If the search is not conclusive, it tries a few runs by fixed patterns.
func (a *Avoiding) From(w *Walk) (Outlook, Place) {
	a.open = false
	var way Place
	if a.ends(w, w.run.World, &way) {
		slices.Reverse(way)
		return Avoidable, slices.Concat(w.place, way)
	}
	if !a.open && !w.header.Timed() {
		return Inevitable, nil
	}
	if other, found := a.tryPatterns(w); found {
		return Avoidable, other
	}
	return Open, nil
}

// ends reports whether a continuation ends without violating the claim, and appends its choices in reverse
// order.
func (a *Avoiding) ends(w *Walk, state *world.World, way *Place) bool {
	if a.violated(state) {
		return false
	}
	key := sha256.Sum256([]byte(strings.Join(state.State(), "\n")))
	switch a.marks[key] {
	case onWay, inVain: // an infinite run violates nothing, but may not be fair
		a.open = true
		return false
	case doomed:
		return false
	}
	here, before := w.in(state), a.open
	offers := here.byItself()
	if len(offers) == 0 {
		return true
	}
	a.marks[key] = onWay
	a.open = false
	for _, o := range offers {
		if a.try(here, o, o.earliest, nil, way) || o.latest > o.earliest && o.latest < world.Time(traces.Latest) && a.try(here, o, o.latest, nil, way) {
			delete(a.marks, key) // other paths to this state lead to an end too
			return true
		}
	}
	if a.marks[key] = doomed; a.open {
		a.marks[key] = inVain
	}
	a.open = a.open || before
	return false
}

// try takes an offer at an instant with some answers, and then with every possible answer to further choices.
func (a *Avoiding) try(here *Walk, o Offer, instant world.Time, answers []int, way *Place) bool {
	if a.spend() {
		a.open = true
		return false
	}
	next, rec, err := here.step(o, instant, answers)
	var ask *Ask
	switch {
	case errors.As(err, &ask):
		for i := range ask.Of {
			if a.try(here, o, instant, append(answers[:len(answers):len(answers)], i), way) {
				return true
			}
		}
		return false
	case err != nil: // a cut
		a.open = true
		return false
	case a.ends(here, next, way):
		*way = append(*way, here.newChoice(o, instant, rec))
		return true
	}
	return false
}

// spend counts a step, and reports whether the search is over.
func (a *Avoiding) spend() bool {
	a.steps--
	return a.steps < 0 || a.stopped()
}

// stopped reports whether stop is closed.
func (a *Avoiding) stopped() bool {
	select {
	case <-a.stop:
		return true
	default:
		return false
	}
}

// violated reports whether the claim is violated or a handler has failed.
func (a *Avoiding) violated(state *world.World) bool {
	return slices.ContainsFunc(state.Violations, func(v world.Violation) bool { return v.Claim == a.claim || v.Claim == model.NoHandlerFails })
}
