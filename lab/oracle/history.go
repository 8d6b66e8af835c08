package oracle

import (
	"fmt"
	"slices"

	"contend/model"
)

// Watched returns the claims, with monitors for the kinds Linearizable and Refines. The first stores the
// whole history, and searches at each return for an order that explains it. The second stores all
// observations, and searches for a run of the page with these observations.
func Watched(claims []model.Claim) []model.Claim {
	out := slices.Clone(claims)
	for i, c := range out {
		switch c.Kind {
		case model.Linearizable:
			out[i].Monitor = func(*model.System) model.Monitor { return &history{object: c.Object} }
		case model.Refines:
			out[i].Monitor = refines(c.Refinement)
		}
	}
	return out
}

// A history is the operations of a run.
type history struct {
	object model.Object

	Seen       int // number of invocations and returns so far
	Operations []Operation
}

// An Operation is an operation with its interval of observations.
type Operation struct {
	Node         model.NodeID
	At           int // index in the node's script
	Op, Result   any
	Begun, Ended int // Ended is 0 without a return
}

// Observe updates the history. A release takes effect at once, without a result.
func (h *history) Observe(w model.Watch, o model.Observation) {
	h.Seen++
	switch o.Kind {
	case model.Invoked:
		h.Operations = append(h.Operations, Operation{Node: o.Node, At: o.Op, Op: o.Value, Begun: h.Seen})
		return
	case model.Released:
		h.Operations = append(h.Operations, Operation{Node: o.Node, Op: o.Value, Begun: h.Seen, Ended: h.Seen})
	case model.Returned:
		if !h.object.Knows(o.Value) {
			return
		}
		w.Witness()
		for i := range h.Operations {
			if x := &h.Operations[i]; x.Node == o.Node && x.At == o.Op && x.Ended == 0 {
				x.Result, x.Ended = o.Value, h.Seen
			}
		}
	default:
		return
	}
	if !h.explained(h.object.Init, nil) {
		w.Violate("no order explains the history")
	}
}

// explained reports whether the remaining operations can take effect in some order from a state. Each takes
// effect with its result, before all operations that began after its end. Operations without a return may be
// omitted.
func (h *history) explained(state any, done []int) bool {
	rest := false
	for i, x := range h.Operations {
		if slices.Contains(done, i) {
			continue
		}
		rest = rest || x.Ended != 0
		if h.waits(x, done) {
			continue
		}
		for _, e := range h.object.Step(state, x.Node, x.Op) {
			if (x.Ended == 0 || alike(e.Result, x.Result)) && h.explained(e.State, append(slices.Clone(done), i)) {
				return true
			}
		}
	}
	return !rest
}

// waits reports whether an operation began after the end of a remaining one.
func (h *history) waits(x Operation, done []int) bool {
	for i, y := range h.Operations {
		if y.Ended != 0 && y.Ended < x.Begun && !slices.Contains(done, i) {
			return true
		}
	}
	return false
}

// alike compares results; nil and empty are equal.
func alike(a, b any) bool { return fmt.Sprintf("%T %v", a, a) == fmt.Sprintf("%T %v", b, b) }
