package step

import (
	"fmt"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
)

// A handler that fails ends its step, and this branch of the search. The step has no result, so liveness claims
// treat its event as withheld by a cut.

// failure returns how a handler fails, or "", and its picks until then. A handler that returns while no
// invocation runs fails at the return, whatever it does next. The handler of an invocation, with invoked set,
// has an invocation to return from.
func (w *Worker) failure(v []uint32, slot int16, invoked bool, o *component.Outcome) (string, []component.Pick) {
	switch {
	case o.Finishes && !w.mayReturn(v, slot, invoked):
		return fmt.Sprintf("node %s returns, but no invocation runs", w.Sys.Name(model.NodeID(slot))), o.Picks[:o.Until]
	case o.Failed != nil:
		return o.Failed.String(), o.Picks
	}
	return "", o.Picks
}

// mayReturn reports whether a node that runs a handler has an invocation to return from.
func (w *Worker) mayReturn(v []uint32, slot int16, invoked bool) bool {
	at := w.AppOf[slot]
	if at < 0 || v[at]&1 == 0 && !invoked {
		return false
	}
	for _, id := range v[w.Head:] {
		if f := &w.Flats[id]; f.Slot == slot && f.Kind == component.Kind(model.Return) {
			return false
		}
	}
	return true
}

// Fails reports whether the move ends in a handler that fails.
func (m *Move) Fails() bool {
	return slices.ContainsFunc(m.Broken, func(b Broken) bool { return b.Monitor == Failing })
}

// withholdMove records that the event of the present move is withheld.
func (w *Worker) withholdMove() {
	switch {
	case w.Move.Kind == model.Restart:
		w.WithheldFlags |= liveness.Repair
	case w.Move.Kind.Adversarial():
		w.WithheldFlags |= liveness.Environment
	case w.booting:
	case w.bases[w.Move.Base].Optional:
		w.WithheldFlags |= liveness.Spare
	default:
		w.Withheld = append(w.Withheld, w.Move.Base)
	}
}

// fails adds a handler's failure to the move and calls Fail with the unfinished successor.
func (w *Worker) fails(left []uint32, slot int16, handler, how string) {
	text := fmt.Sprintf("%s of %s: %s", handler, w.Who(slot), how)
	w.Move.Broken = append(w.Move.Broken, Broken{Monitor: Failing, Text: text, Who: -1})
	if w.Fail != nil {
		w.Fail(left)
	}
}
