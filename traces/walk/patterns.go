package walk

import (
	"errors"
	"slices"

	"contend/model/world"
	"contend/traces"
)

// The number of pattern runs that are tried from a place, and the largest length of each. A depth-first search
// of a large system changes only the last steps, so these runs differ in the first ones.
const (
	strays    = 16
	strayLong = 300
)

// tryPatterns tries the pattern runs, and returns the place at the end of a run that does not violate the
// claim.
func (a *Avoiding) tryPatterns(w *Walk) (way Place, found bool) {
	for pattern := range strays {
		if way, found = a.runPattern(w, pattern); found {
			return slices.Concat(w.place, way), true
		}
	}
	return nil, false
}

// runPattern takes steps by a pattern until the run ends.
func (a *Avoiding) runPattern(w *Walk, pattern int) (way Place, found bool) {
	here := w
	for step := 1; step < strayLong && !a.stopped(); step++ {
		offers := here.byItself()
		if len(offers) == 0 {
			return way, true
		}
		next, c, ok := here.takeNumbered(offers, pattern*step)
		if !ok || a.violated(next) {
			return nil, false
		}
		way, here = append(way, c), w.in(next)
	}
	return nil, false
}

// byItself returns the offers that are not moves of the environment.
func (w *Walk) byItself() []Offer {
	return slices.DeleteFunc(w.offers(), func(o Offer) bool { return o.Fault || o.Event().Optional })
}

// takeNumbered takes the offer that a number selects, or the next offer that is not cut. The number also
// selects the answers, and for every fourth number the latest instant. It reports false if every offer is
// cut.
func (w *Walk) takeNumbered(offers []Offer, number int) (*world.World, Choice, bool) {
	for i := range offers {
		o := offers[(number+i)%len(offers)]
		instant := o.earliest
		if o.latest < world.Time(traces.Latest) && number%4 == 3 {
			instant = o.latest
		}
		var answers []int
		next, rec, err := w.step(o, instant, answers)
		for ask := (*Ask)(nil); errors.As(err, &ask); {
			answers = append(answers, number%ask.Of)
			next, rec, err = w.step(o, instant, answers)
		}
		if err == nil {
			return next, w.newChoice(o, instant, rec), true
		}
	}
	return nil, Choice{}, false
}
