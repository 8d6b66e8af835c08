package walk

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/model/world"
	"contend/traces"
)

// How many random runs are tried from a place, and how long each may be: a search in order tries all that may happen in the end
// before anything else at the beginning, and a large system keeps it there.
const (
	strays    = 16
	strayLong = 300
)

// strayed looks for a run that avoids the violation among random ones, the same from each place whenever it is asked.
func (a *Avoiding) strayed(w *Walk) (way Place, found bool) {
	key := sha256.Sum256([]byte(strings.Join(w.run.World.State(), "\n")))
	for n := range uint64(strays) {
		r := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(key[:]), n))
		if way, found = a.stray(w, r); found {
			return slices.Concat(w.place, way), true
		}
	}
	return nil, false
}

// stray takes random steps to the end of a run.
func (a *Avoiding) stray(w *Walk, r *rand.Rand) (way Place, found bool) {
	here := w
	for len(way) < strayLong && !a.stopped() {
		offers := here.byItself()
		if len(offers) == 0 {
			return way, true
		}
		next, c, ok := here.random(offers, r)
		if !ok || a.broken(next) {
			return nil, false
		}
		way, here = append(way, c), w.seeing(next)
	}
	return nil, false
}

// byItself are the offers that are not the environment's.
func (w *Walk) byItself() []Offer {
	return slices.DeleteFunc(w.offers(), func(o Offer) bool { return o.Fault || o.Event() != nil && o.Event().Optional })
}

// random takes one of some offers, as early or as late as may be, with random answers; false where each leads beyond a cut.
func (w *Walk) random(offers []Offer, r *rand.Rand) (*world.World, Choice, bool) {
	for _, i := range r.Perm(len(offers)) {
		o := offers[i]
		at := o.earliest
		if o.latest < world.Time(traces.Latest) && r.IntN(4) == 0 {
			at = o.latest
		}
		var answers []int
		next, rec, err := w.stepped(o, at, answers)
		for ask := (*Ask)(nil); errors.As(err, &ask); {
			answers = append(answers, r.IntN(ask.Of))
			next, rec, err = w.stepped(o, at, answers)
		}
		if err == nil {
			return next, w.chosen(o, at, rec), true
		}
	}
	return nil, Choice{}, false
}
