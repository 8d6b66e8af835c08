package minimize

import (
	"bytes"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// judgeOf is what says whether a run, as far as it has come, breaks the claim of a trace in the way in which the trace
// says that it does.
//
// A claim about a goal is broken by a run that stops short of it, or by a round that avoids it, can be repeated and
// is fair. That a state is doomed from which runs go on no run shows by itself: such a run is none here.
func judgeOf(header traces.Trace, claim model.Claim) func(*taking) bool {
	switch {
	case header.Cost != nil:
		return func(t *taking) bool { return t.comesTo(claim, header.Cost.Number) }
	case header.Loop > 0:
		if claim.Kind != model.Eventually {
			return nil
		}
		return func(t *taking) bool { return t.round != nil && t.round.closes(t) }
	case claim.Kind == model.Eventually:
		return func(t *taking) bool { return t.world.Quiescent() && !t.world.Reached(claim) }
	case claim.HasGoal():
		return func(t *taking) bool { return len(t.world.Pending()) == 0 && !t.world.Reached(claim) }
	case header.Claim == model.NoHandlerFails:
		return func(t *taking) bool {
			t.world.Forgeries() // it may be Forge that fails
			return t.violates(header.Claim)
		}
	}
	return func(t *taking) bool { return t.violates(header.Claim) }
}

// violates reports whether a claim is broken.
func (t *taking) violates(claim string) bool {
	return slices.ContainsFunc(t.world.Violations, func(v world.Violation) bool { return v.Claim == claim })
}

// comesTo reports whether a run comes to a cost with its last step.
func (t *taking) comesTo(c model.Claim, number int) bool {
	if c.Cost.AtEnd {
		return t.world.Ended() && slices.Contains(t.world.Totals(c), number)
	}
	return slices.Contains(t.world.Measured, world.Measurement{Claim: c.Name, Number: number, Step: t.world.Steps})
}

// A round is the end of a run, which is to be repeated for ever.
type round struct {
	after   int            // steps before it
	entry   []string       // the state there
	waiting []*world.Event // what could happen in each state since it began
	goal    bool           // it was reached in some state
}

// begins says that the round begins here.
func (t *taking) begins() {
	t.round = &round{after: len(t.records), entry: t.world.State(), waiting: t.world.Pending()}
	t.round.looks(t)
}

// observe looks at a step of the round and at the state after it. What it takes it takes for all events of the name: fairness does not tell
// equal messages in flight apart.
func (t *taking) observe() {
	if t.round == nil {
		return
	}
	mv := t.records[len(t.records)-1].Move
	t.round.waiting = slices.DeleteFunc(t.round.waiting, func(e *world.Event) bool { return mv.Kind == e.Kind && t.equal(mv.Event, e) })
	t.round.looks(t)
}

// equal reports whether two events are of one name and value.
func (t *taking) equal(a, b *world.Event) bool {
	return nameOf(a) == nameOf(b) && a.Monitor == b.Monitor && bytes.Equal(t.stage.codec.Any(a.Value, nil), t.stage.codec.Any(b.Value, nil))
}

// looks forgets the events that fairness does not speak of: an event must happen if it could happen in each state of the
// round, and those that are gone, or cannot happen here, need not. It notes, too, whether the goal is reached here.
func (r *round) looks(t *taking) {
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

// closes reports whether the round comes back to where it began, so that it can be repeated, never reaches the goal,
// and leaves out no event that could happen all the time.
func (r *round) closes(t *taking) bool {
	return len(t.records) > r.after && !r.goal && len(r.waiting) == 0 && slices.Equal(r.entry, t.world.State())
}
