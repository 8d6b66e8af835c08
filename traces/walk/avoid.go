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

// An Outlook says whether what breaks a claim can be avoided from a place on.
type Outlook int

// Open: the search was too small, or leads beyond a cut, round in a circle or through time, so that it says
// nothing. Avoidable: a run goes on from there to an end at which the claim is not broken. Inevitable: none
// does, whatever happens next, unless the environment should help.
const (
	Open Outlook = iota
	Avoidable
	Inevitable
)

// Avoiding looks from one place after another of a run for a way on that does not break a claim. States that
// were found to lead nowhere else are remembered, so it is best asked from the end of the run backwards.
type Avoiding struct {
	claim string
	steps int             // that may still be taken
	stop  <-chan struct{} // ends it when it is closed
	met   map[[sha256.Size]byte]searched
	open  bool // the present search left something out
}

// searched is what is known of a state: it is being looked at, an end was not found from it, or it was found
// that there is none.
type searched int

const (
	onWay searched = iota + 1
	inVain
	doomed
)

// NewAvoiding is for the breaking of a claim, with so many steps that searches may take in all.
func NewAvoiding(claim string, steps int, stop <-chan struct{}) *Avoiding {
	return &Avoiding{claim: claim, steps: steps, stop: stop, met: map[[sha256.Size]byte]searched{}}
}

// From looks from where a walk is, which stays there and has not broken the claim. With [Avoidable] comes the
// place at the end of a run that avoids it.
//
// The search goes depth first through what the interpreter makes of each offer that is not the environment's. The end of
// a run is where nothing happens by itself any more. Each step is taken as early and as late as may be, so in a
// timed walk it finds what is avoidable and never that something is not. Where it says nothing, a few other runs are tried.
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
	if other, found := a.strayed(w); found {
		return Avoidable, other
	}
	return Open, nil
}

// ends reports whether a run goes on from a state to an end without breaking the claim, and appends its choices,
// the last first.
func (a *Avoiding) ends(w *Walk, is *world.World, way *Place) bool {
	if a.broken(is) {
		return false
	}
	key := sha256.Sum256([]byte(strings.Join(is.State(), "\n")))
	switch a.met[key] {
	case onWay, inVain: // a run that goes round for ever breaks nothing, but may not be a fair one
		a.open = true
		return false
	case doomed:
		return false
	}
	here, before := w.seeing(is), a.open
	offers := here.byItself()
	if len(offers) == 0 {
		return true
	}
	a.met[key] = onWay
	a.open = false
	for _, o := range offers {
		if a.tries(here, o, o.earliest, nil, way) || o.latest > o.earliest && o.latest < world.Time(traces.Latest) && a.tries(here, o, o.latest, nil, way) {
			delete(a.met, key) // it leads to an end, whoever asks next
			return true
		}
	}
	if a.met[key] = doomed; a.open {
		a.met[key] = inVain
	}
	a.open = a.open || before
	return false
}

// tries takes an offer at an instant with some answers, and with each that is asked for besides.
func (a *Avoiding) tries(here *Walk, o Offer, at world.Time, answers []int, way *Place) bool {
	if a.over() {
		a.open = true
		return false
	}
	next, rec, err := here.stepped(o, at, answers)
	var ask *Ask
	switch {
	case errors.As(err, &ask):
		for i := range ask.Of {
			if a.tries(here, o, at, append(answers[:len(answers):len(answers)], i), way) {
				return true
			}
		}
		return false
	case err != nil: // it is beyond a cut
		a.open = true
		return false
	case a.ends(here, next, way):
		*way = append(*way, here.chosen(o, at, rec))
		return true
	}
	return false
}

// over reports whether no more steps may be taken.
func (a *Avoiding) over() bool {
	a.steps--
	return a.steps < 0 || a.stopped()
}

// stopped reports whether the search is to end.
func (a *Avoiding) stopped() bool {
	select {
	case <-a.stop:
		return true
	default:
		return false
	}
}

// broken reports whether the claim is.
func (a *Avoiding) broken(is *world.World) bool {
	return slices.ContainsFunc(is.Violations, func(v world.Violation) bool { return v.Claim == a.claim || v.Claim == model.NoHandlerFails })
}
