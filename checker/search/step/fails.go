package step

import (
	"fmt"
	"slices"

	"contend/checker/search/component"
	"contend/checker/search/liveness"
	"contend/model"
)

// A handler that fails ends the step that calls it, and this branch of the search. What the step
// would have come to is not known, so what is claimed of how runs go on takes its event for one
// that a cut keeps from firing.

// failure is how a handler fails, or "", with the answers that it was given until then. One that
// returns fails unless an invocation runs, as it does when the handler is that of one: it fails there,
// whatever it would do next.
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

// withholdMove notes that what is moved does not come to its end.
func (w *Worker) withholdMove() {
	switch {
	case w.Move.Kind == model.Restart:
		w.Kept |= liveness.Repair
	case w.Move.Kind.Adversarial():
		w.Kept |= liveness.Environment
	case w.booting:
	case w.bases[w.Move.Base].Optional:
		w.Kept |= liveness.Spare
	default:
		w.Withheld = append(w.Withheld, w.Move.Base)
	}
}

// fails ends a step: what it has come to is left.
func (w *Worker) fails(left []uint32, slot int16, handler, how string) {
	text := fmt.Sprintf("%s of %s: %s", handler, w.Who(slot), how)
	w.Move.Broken = append(w.Move.Broken, Broken{Monitor: Failing, Text: text, Who: -1})
	if w.Fail != nil {
		w.Fail(left)
	}
}
