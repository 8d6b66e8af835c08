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

// A search from a [Beginning] has the last state of a given run as its only first state. It decides claims for the runs that continue this
// one: it visits the states that can be reached from there, no others, with the budgets, scripts and monitors as the run leaves them.
//
// The run is taken through the search's own steps, one by one: at each, the successor is taken that is made by the given event with the
// given answers. Nothing is absorbed on the way, so that every message which the run delivers is there. Every way to a state then begins
// with these steps, so that a counterexample is a run from the very beginning, which the interpreter confirms as any other.
//
// Symmetry does not need a symmetric first state. Renaming takes steps to steps, so if a state is passed over for a renaming of it that
// was met before, what follows the one is a renaming of what follows the other, which was reached from the first state. Absorption
// depends on what follows a state, and not on what came before it.

// A Beginning is a run behind which a search begins.
type Beginning struct {
	Boot  []Pick   // the answers that Start is given
	Steps []Step   // the steps, without delays
	Nodes [][]byte // the nodes' states at the end; nil of those that are down
}

// Beginning is the run behind which the search begins.
func (x *Taker) Beginning() Route {
	if x.began.V == nil {
		x.began = x.takeAgain(x.From)
	}
	return x.began
}

// takeAgain takes a run through the steps of the search.
func (x *Taker) takeAgain(from *Beginning) (r Route) {
	w := x.Worker
	absorb := w.Absorb
	w.Absorb = nil
	defer func() { w.Absorb = absorb }()
	next := x.successor(r, true, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool {
		return sameAnswers(pickedAll(w.Move.Picks), from.Boot)
	})
	if next == nil {
		panic(Disagreement{errors.New("the run that the search begins with does not begin as one of the search's")})
	}
	r = x.then(r, next)
	for i, s := range from.Steps {
		next := x.successor(x.preferring(r, s), false, false, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool {
			return x.Step(w.Move, w.Takes(w.Move)).same(s, x.Codec)
		})
		switch {
		case next != nil:
			r = x.then(r, next)
		case s.Kind == model.Forge: // it does nothing, and so the search leaves it out
			r.Steps, r.Flights, r.Keys = append(r.Steps, s), append(r.Flights, r.Flights[i]), append(r.Keys, r.Keys[i])
		default:
			panic(Disagreement{fmt.Errorf("step %d of the run that the search begins with is not found again", i+1)})
		}
	}
	if !slices.EqualFunc(x.NodeBytes(r.V), from.Nodes, bytes.Equal) {
		panic(Disagreement{errors.New("the run that the search begins with ends in another state")})
	}
	r.Steps, r.Flights, r.Keys = slices.Clip(r.Steps), slices.Clip(r.Flights), slices.Clip(r.Keys) // ways are appended to them
	return r
}

// preferring returns the Route with the event that a step takes before others that are equal to it: the search takes the first of them.
func (x *Taker) preferring(r Route, s Step) Route {
	parts := r.V[x.Head:]
	for i, id := range parts {
		if first := slices.Index(parts, id); int(r.cast.Is[i]) == s.Occurrence && x.takesOf(s, x.Store.Flats[id].Base) {
			r.cast.Is[i], r.cast.Is[first] = r.cast.Is[first], r.cast.Is[i]
			return r
		}
	}
	return r
}

// takesOf reports whether a step may take an event of a base.
func (x *Taker) takesOf(s Step, base uint32) bool {
	b := x.Store.Bases.Items[base]
	kind := s.Kind
	if s.sent() {
		kind = model.Deliver
	}
	return model.EventKind(b.Kind) == kind && (int(b.Slot) == int(s.Node) || kind == model.Expire) && (!s.sent() || int(b.From) == int(s.From)) &&
		bytes.Equal(x.Codec.Any(x.Decoded(b.Value), nil), x.Codec.Any(s.Value, nil))
}

// same reports whether two steps take the same event in the same way.
func (s Step) same(t Step, codec *value.Codec) bool {
	return s.Kind == t.Kind && (s.Node == t.Node || s.Kind == model.Partition) && s.Occurrence == t.Occurrence && s.Op == t.Op &&
		(s.From == t.From || !s.sent()) && sameAnswers(s.Picks, t.Picks) && bytes.Equal(codec.Any(s.Value, nil), codec.Any(t.Value, nil))
}

// sent reports whether a step is about a message, which has a sender.
func (s Step) sent() bool {
	return s.Kind == model.Deliver || s.Kind == model.Lose || s.Kind == model.Duplicate || s.Kind == model.Forge
}

func sameAnswers(p, q []Pick) bool {
	return slices.EqualFunc(p, q, func(p, q Pick) bool { return p.Of == q.Of && p.Is == q.Is && p.Held == q.Held })
}
