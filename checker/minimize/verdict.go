package minimize

import (
	"bytes"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// judgeOf returns a function that reports whether a run so far breaks a trace's claim in the trace's way. It
// returns nil if a single run cannot show the violation, as of a doomed state.
//
// A claim with a goal is broken by a run that ends without the goal, or by a fair cycle that avoids it.
func judgeOf(header traces.Trace, claim model.Claim) func(*execution) bool {
	switch {
	case header.Cost != nil:
		return func(t *execution) bool { return t.hasCost(claim, header.Cost.Number) }
	case header.Loop > 0:
		if claim.Kind != model.Eventually {
			return nil
		}
		return func(t *execution) bool { return t.round != nil && t.round.closes(t) }
	case claim.Kind == model.Eventually:
		return func(t *execution) bool { return t.world.Quiescent() && !t.world.Reached(claim) }
	case claim.HasGoal():
		return func(t *execution) bool { return len(t.world.Pending()) == 0 && !t.world.Reached(claim) }
	case header.Claim == model.NoHandlerFails:
		return func(t *execution) bool {
			t.world.Forgeries() // it may be Forge that fails
			return t.violates(header.Claim)
		}
	}
	return func(t *execution) bool { return t.violates(header.Claim) }
}

// violates reports whether a claim is broken.
func (t *execution) violates(claim string) bool {
	return slices.ContainsFunc(t.world.Violations, func(v world.Violation) bool { return v.Claim == claim })
}

// hasCost reports whether a run reaches a cost with its last step.
func (t *execution) hasCost(c model.Claim, number int) bool {
	if c.Cost.AtEnd {
		return t.world.Ended() && slices.Contains(t.world.Totals(c), number)
	}
	return slices.Contains(t.world.Measured, world.Measurement{Claim: c.Name, Number: number, Step: t.world.Steps})
}

// A round is a cycle at the end of a run, to be repeated for ever.
type round struct {
	steps   int            // steps before it
	entry   []string       // state before it
	waiting []*world.Event // events that were possible in each state so far
	goal    bool           // some state reached the goal
}

// beginRound begins the round at the present state.
func (t *execution) beginRound() {
	t.round = &round{steps: len(t.records), entry: t.world.State(), waiting: t.world.Pending()}
	t.round.update(t)
}

// observe updates the round after a step. A step counts for all events of its name and value: fairness does
// not distinguish equal messages in flight.
func (t *execution) observe() {
	if t.round == nil {
		return
	}
	mv := t.records[len(t.records)-1].Move
	t.round.waiting = slices.DeleteFunc(t.round.waiting, func(e *world.Event) bool { return mv.Kind == e.Kind && t.equal(mv.Event, e) })
	t.round.update(t)
}

// equal reports whether two events have equal names and values.
func (t *execution) equal(a, b *world.Event) bool {
	return nameOf(a) == nameOf(b) && a.Monitor == b.Monitor && bytes.Equal(t.stage.codec.Any(a.Value, nil), t.stage.codec.Any(b.Value, nil))
}

// update removes the events that fairness does not force. Fairness forces an event that is possible in each
// state of the round. It also records whether the goal is reached.
func (r *round) update(t *execution) {
	pending := t.world.Pending()
	r.waiting = slices.DeleteFunc(r.waiting, func(e *world.Event) bool {
		if !slices.Contains(pending, e) || e.Optional {
			return true
		}
		_, _, ok := t.world.Fires(e)
		return !ok
	})
	r.goal = r.goal || t.world.Reached(t.stage.claim)
}

// closes reports whether the round returns to its first state, avoids the goal, and takes every event that is
// always possible.
func (r *round) closes(t *execution) bool {
	return len(t.records) > r.steps && !r.goal && len(r.waiting) == 0 && slices.Equal(r.entry, t.world.State())
}
