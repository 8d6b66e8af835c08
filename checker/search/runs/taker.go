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

// A States is the set of states that a search has met.
type States interface {
	// Stored returns the key under which the set stores a state.
	Stored(key fingerprint.Print) fingerprint.Print
	// Roots returns the initial states.
	Roots() []fingerprint.Print
	// Parents returns the states that may be the parent of a state.
	Parents(of fingerprint.Print) []fingerprint.Print
}

// A Taker replays runs of a search.
type Taker struct {
	*step.Engine
	Worker    *step.Worker     // computes the steps
	Orbits    *symmetry.Orbits // computes the states' keys; nil without symmetry
	States    States
	ClaimOf   []int      // by monitor: its claim, by index
	From      *Beginning // unless nil, the run at whose end the search begins
	beginning Route      // the route of From, computed on demand
}

// Way returns the route to a state along the parents that the search has stored. In a breadth-first search it
// is a shortest route. It panics with a [Disagreement] if it finds none.
func (x *Taker) Way(to fingerprint.Print) Route {
	s := &seeker[Route]{limit: maxTried, roots: x.States.Roots(), parents: x.States.Parents, step: func(r Route, key fingerprint.Print) (Route, bool) {
		if r.V == nil && x.From != nil {
			return x.Beginning(), true
		}
		next := x.successor(r, r.V == nil, false, func(_ *step.Worker, _ []uint32, k fingerprint.Print) bool { return k == key })
		if next == nil {
			return Route{}, false
		}
		return Route{V: next.v, cast: x.extend(r, next).cast}, true
	}}
	if keys, ok := s.seek(to); ok {
		if r, ok := x.follow(keys); ok {
			return r
		}
	}
	if s.tried >= s.limit {
		panic(Disagreement{fmt.Errorf("a state was met, but of the states and steps before it that names allow the first %d tried make no way", s.tried)})
	}
	panic(Disagreement{errors.New("a state was met, but no way to it is found again")})
}

// extend returns the route extended by a step.
func (x *Taker) extend(r Route, s *successor) Route {
	if r.V != nil {
		r.Steps = append(r.Steps, x.Step(s.move, s.occurrence))
	} else {
		r.Boot = Picks(s.move.Picks)
	}
	r.V, r.cast = s.v, x.After(r.cast, s.trail)
	step.SortCast(r.V[x.Head:], r.cast.Is)
	r.Flights, r.Keys = append(r.Flights, x.inFlight(r.V, r.cast)), append(r.Keys, s.key)
	return r
}

// follow returns the route along the keys of states; false if there is none.
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
		r = x.extend(r, next)
	}
	return r, true
}

var errNotFound = Disagreement{errors.New("a step was taken, but it is not found again")}

// Further returns the route extended by a wanted step, and the step's move. With fails, the step ends in a
// failed handler. It panics with a [Disagreement] if no step is wanted.
func (x *Taker) Further(r Route, fails bool, wanted func(w *step.Worker, v []uint32, key fingerprint.Print) bool) (Route, step.Move) {
	next := x.successor(r, r.V == nil, fails, wanted)
	if next == nil {
		panic(errNotFound)
	}
	return x.extend(r, next), next.move
}

// A successor is a successor of a replayed run's last state, or an initial state, with its move.
type successor struct {
	v          []uint32
	trail      step.Trail
	move       step.Move
	occurrence int32 // of the move's event
	sum        fingerprint.Print
	key        fingerprint.Print // the key under which the state is stored
	name       string
}

func (s *successor) compare(t *successor) int {
	return cmp.Or(cmp.Compare(s.move.Delay, t.move.Delay), fingerprint.Compare(s.sum, t.sum), cmp.Compare(s.name, t.name))
}

// successor returns the wanted successor of a run's last state, or the wanted initial state; nil if there is
// none. Of several it returns the one with the shortest delay, and then the least fingerprint. So the result
// does not depend on the numbers of components.
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
		if s.name = x.nameOf(s.move); best == nil || s.compare(best) < 0 {
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

// successorOf returns a copy of the successor that the worker has just emitted.
func successorOf(w *step.Worker, v []uint32) *successor {
	return &successor{v: slices.Clone(v), trail: w.Tracker.Saved(), move: w.Move, occurrence: w.Occurrence(w.Move), sum: w.Sum}
}
