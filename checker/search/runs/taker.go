package runs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
)

// States are those that a search met.
type States interface {
	// Stored is the name by which a state is kept.
	Stored(key fingerprint.Print) fingerprint.Print
	// Roots are the first states.
	Roots() []fingerprint.Print
	// Parents are the states that may be the one from which a state was met.
	Parents(of fingerprint.Print) []fingerprint.Print
}

// A Taker takes runs of a search again.
type Taker struct {
	*step.Engine
	Worker  *step.Worker     // takes the steps
	Orbits  *symmetry.Orbits // names states by their orbits; nil when symmetry is off
	States  States
	ClaimOf []int      // the claim, by place, of each monitor
	From    *Beginning // the run behind which the search begins, unless nil
	began   Route      // that run, once it was taken
}

// Way takes a shortest way to a state again.
func (x *Taker) Way(to fingerprint.Print) Route {
	s := &seeker[Route]{roots: x.States.Roots(), parents: x.States.Parents, step: func(r Route, key fingerprint.Print) (Route, bool) {
		if r.V == nil && x.From != nil {
			return x.Beginning(), true
		}
		next := x.successor(r, r.V == nil, false, func(_ *step.Worker, _ []uint32, k fingerprint.Print) bool { return k == key })
		if next == nil {
			return Route{}, false
		}
		return Route{V: next.v, cast: x.then(r, next).cast}, true
	}}
	if keys, ok := s.seek(to); ok {
		if r, ok := x.follow(keys); ok {
			return r
		}
	}
	if s.tried >= mostTried {
		panic(Disagreement{fmt.Errorf("a state was met, but of the states and steps before it that names allow the first %d tried make no way", s.tried)})
	}
	panic(Disagreement{errors.New("a state was met, but no way to it is found again")})
}

// then is the Route with a step more.
func (x *Taker) then(r Route, s *successor) Route {
	if r.V != nil {
		r.Steps = append(r.Steps, x.Step(s.by, s.occurrence))
	} else {
		r.Boot = pickedAll(s.by.Picks)
	}
	r.V, r.cast = s.v, x.After(r.cast, s.trail)
	step.SortCast(r.V[x.Head:], r.cast.Is)
	r.Flights, r.Keys = append(r.Flights, x.inFlight(r.V, r.cast)), append(r.Keys, s.key)
	return r
}

// follow takes the steps that lead along the keys of states; false when there are none.
func (x *Taker) follow(keys []fingerprint.Print) (Route, bool) {
	var r Route
	if x.From != nil {
		r, keys = x.Beginning(), keys[1:]
	}
	for _, key := range keys {
		next := x.successor(r, r.V == nil, false, func(w *step.Worker, _ []uint32, k fingerprint.Print) bool { return k == key })
		if next == nil {
			return r, false
		}
		r = x.then(r, next)
	}
	return r, true
}

var errNotFound = Disagreement{errors.New("a step was taken, but it is not found again")}

// Further takes a step more; whether it ends in a handler that fails is given.
func (x *Taker) Further(r Route, fails bool, wanted func(w *step.Worker, v []uint32, key fingerprint.Print) bool) (Route, step.Move) {
	next := x.successor(r, r.V == nil, fails, wanted)
	if next == nil {
		panic(errNotFound)
	}
	return x.then(r, next), next.by
}

// A successor is one of a state of a run that is taken again, or a first state, and the
// move to it.
type successor struct {
	v          []uint32
	trail      step.Trail
	by         step.Move
	occurrence int32 // of the event that the move takes
	sum        fingerprint.Print
	key        fingerprint.Print // by which the state is stored
	name       string
}

func (s *successor) compare(t *successor) int {
	return cmp.Or(cmp.Compare(s.by.Delay, t.by.Delay), fingerprint.Compare(s.sum, t.sum), cmp.Compare(s.name, t.name))
}

// successor returns the wanted successor of a run's state, or first state; nil when there
// is none: of several the soonest, and then the least by print, so that it is the same
// whatever the numbers of the components.
func (x *Taker) successor(r Route, first, fails bool, wanted func(w *step.Worker, v []uint32, key fingerprint.Print) bool) (best *successor) {
	w, orbits := x.Worker, x.Orbits
	emit, fail := w.Emit, w.Fail
	defer func() { w.Emit, w.Fail = emit, fail }()
	w.Emit = func(next []uint32) {
		key := w.Sum
		if orbits != nil && !fails {
			key = orbits.Key(next, key)
		}
		key = x.States.Stored(key)
		if !wanted(w, next, key) {
			return
		}
		s := successorOf(w, next)
		s.key = key
		if s.name = x.nameOf(s.by); best == nil || s.compare(best) < 0 {
			best = s
		}
	}
	if w.Fail = nil; fails {
		w.Emit, w.Fail = func([]uint32) {}, w.Emit
	}
	w.Track(r.cast, func() {
		if first {
			w.Initial()
		} else {
			w.Expand(r.V, w.PrintOfState(r.V))
		}
	})
	return best
}

// successor keeps the successor that was just made.
func successorOf(w *step.Worker, v []uint32) *successor {
	return &successor{v: slices.Clone(v), trail: w.Tracker.Saved(), by: w.Move, occurrence: w.Takes(w.Move), sum: w.Sum}
}
