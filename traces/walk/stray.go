package walk

import (
	"errors"
	"slices"

	"contend/model/world"
	"contend/traces"
)

// How many runs are tried from a place that each take steps by a pattern of its own, and how long each may be: a search in order
// tries all that may happen in the end before anything else at the beginning, and a large system keeps it there.
const (
	strays    = 16
	strayLong = 300
)

// strayed looks for a run that avoids the violation among those few.
func (a *Avoiding) strayed(w *Walk) (way Place, found bool) {
	for pattern := range strays {
		if way, found = a.stray(w, pattern); found {
			return slices.Concat(w.place, way), true
		}
	}
	return nil, false
}

// stray takes steps by a pattern to the end of a run.
func (a *Avoiding) stray(w *Walk, pattern int) (way Place, found bool) {
	here := w
	for step := 1; step < strayLong && !a.stopped(); step++ {
		offers := here.byItself()
		if len(offers) == 0 {
			return way, true
		}
		next, c, ok := here.by(offers, pattern*step)
		if !ok || a.broken(next) {
			return nil, false
		}
		way, here = append(way, c), w.seeing(next)
	}
	return nil, false
}

// byItself are the offers that are not the environment's.
func (w *Walk) byItself() []Offer {
	return slices.DeleteFunc(w.offers(), func(o Offer) bool { return o.Fault || o.Event().Optional })
}

// by takes the offer that a number leads to, or else the next one that leads beyond no cut, with answers that the number leads to, and
// as late as may be where the number says so; false where there is none.
func (w *Walk) by(offers []Offer, number int) (*world.World, Choice, bool) {
	for i := range offers {
		o := offers[(number+i)%len(offers)]
		at := o.earliest
		if o.latest < world.Time(traces.Latest) && number%4 == 3 {
			at = o.latest
		}
		var answers []int
		next, rec, err := w.stepped(o, at, answers)
		for ask := (*Ask)(nil); errors.As(err, &ask); {
			answers = append(answers, number%ask.Of)
			next, rec, err = w.stepped(o, at, answers)
		}
		if err == nil {
			return next, w.chosen(o, at, rec), true
		}
	}
	return nil, Choice{}, false
}
