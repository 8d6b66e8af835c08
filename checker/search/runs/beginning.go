package runs

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// A search from a [Beginning] has the last state of a given run as its only initial state. It decides claims
// for the continuations of this run: it visits the states reachable from its last state, with the budgets,
// scripts and monitors as the run leaves them.
//
// The run is replayed through the search's own steps. At each step the successor with the given event and the
// given answers is taken. Nothing is absorbed during the replay, so that every message that the run delivers is
// pending. Every route to a state begins with these steps. So a counterexample is a run from the very
// beginning, and the interpreter confirms it like any other.
//
// Symmetry does not need a symmetric initial state. Renaming maps steps to steps. If a state is skipped because
// a renaming of it was met, its successors are renamings of that state's successors. Absorption depends only on
// what follows a state.

// A Beginning is a run; a search begins at its last state.
type Beginning struct {
	Boot  []Pick   // the answers to Start
	Steps []Step   // the steps, without delays
	Nodes [][]byte // the nodes' last states; nil for nodes that are down
}

// Beginning returns the route of From. It panics with a [Disagreement] if the search cannot replay it.
func (x *Taker) Beginning() Route {
	if x.beginning.V == nil {
		x.beginning = x.replay(x.From)
	}
	return x.beginning
}

// replay replays a run through the steps of the search.
func (x *Taker) replay(from *Beginning) (r Route) {
	w := x.Worker
	absorb := w.Absorb
	w.Absorb = nil
	defer func() { w.Absorb = absorb }()
	next := x.successor(r, true, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool {
		return equalAnswers(Picks(w.Move.Picks), from.Boot)
	})
	if next == nil {
		panic(Disagreement{errors.New("the run that the search begins with does not begin as one of the search's")})
	}
	r = x.extend(r, next)
	for i, s := range from.Steps {
		next := x.successor(x.withPreferred(r, s), false, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool {
			return x.Step(w.Move, w.Occurrence(w.Move)).equal(s, x.Codec)
		})
		switch {
		case next != nil:
			r = x.extend(r, next)
		case s.Kind == model.Forge: // a forgery without effect: the search omits it
			r.Steps, r.Flights, r.Keys = append(r.Steps, s), append(r.Flights, r.Flights[i]), append(r.Keys, r.Keys[i])
		default:
			panic(Disagreement{fmt.Errorf("step %d of the run that the search begins with is not found again", i+1)})
		}
	}
	if !slices.EqualFunc(x.NodeBytes(r.V), from.Nodes, bytes.Equal) {
		panic(Disagreement{errors.New("the run that the search begins with ends in another state")})
	}
	r.Steps, r.Flights, r.Keys = slices.Clip(r.Steps), slices.Clip(r.Flights), slices.Clip(r.Keys) // callers append to them
	return r
}

// withPreferred returns the route with the event of a step moved before equal events, since the search takes
// the first of equal events.
func (x *Taker) withPreferred(r Route, s Step) Route {
	parts := r.V[x.Head:]
	for i, id := range parts {
		if first := slices.Index(parts, id); int(r.cast.Is[i]) == s.Occurrence && x.mayTake(s, x.Store.Flats[id].Base) {
			r.cast.Is[i], r.cast.Is[first] = r.cast.Is[first], r.cast.Is[i]
			return r
		}
	}
	return r
}

// mayTake reports whether a step may take an event with a base.
func (x *Taker) mayTake(s Step, base uint32) bool {
	b := x.Store.Bases.Items[base]
	kind := s.Kind
	if s.aboutMessage() {
		kind = model.Deliver
	}
	return model.EventKind(b.Kind) == kind && (int(b.Slot) == int(s.Node) || kind == model.Expire) && (!s.aboutMessage() || int(b.From) == int(s.From)) &&
		bytes.Equal(x.Codec.Any(x.Decoded(b.Value), nil), x.Codec.Any(s.Value, nil))
}

// equal reports whether two steps take the same event in the same way.
func (s Step) equal(t Step, codec *value.Codec) bool {
	return s.Kind == t.Kind && (s.Node == t.Node || s.Kind == model.Partition) && s.Occurrence == t.Occurrence && s.Op == t.Op &&
		(s.From == t.From || !s.aboutMessage()) && equalAnswers(s.Picks, t.Picks) && bytes.Equal(codec.Any(s.Value, nil), codec.Any(t.Value, nil))
}

// aboutMessage reports whether a step concerns a message and so has a sender.
func (s Step) aboutMessage() bool {
	return s.Kind == model.Deliver || s.Kind == model.Lose || s.Kind == model.Duplicate || s.Kind == model.Forge
}

func equalAnswers(p, q []Pick) bool {
	return slices.EqualFunc(p, q, func(p, q Pick) bool { return p.Of == q.Of && p.Is == q.Is && p.Held == q.Held })
}
