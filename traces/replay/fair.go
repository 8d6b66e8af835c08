package replay

import (
	"bytes"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// A round is the loop of a trace of an eventually claim as the replay takes it. Such a run breaks its claim only if it
// is fair and no state of the loop is at the goal. The protocol may have changed since a search found the run, so
// both are looked at again.
type round struct {
	left []*world.Event // could happen in each state of the loop so far, and no step took one of their name
	at   int            // the step of the loop that reaches the goal; 0 if none does
}

// rounds looks at the state after a number of steps, and at the last of them; nil before the first.
func (r *Replayer) rounds(steps int, rec *world.Record) {
	if r.Trace.Loop == 0 || r.claim.Kind != model.Eventually || steps < r.Trace.Loop-1 {
		return
	}
	pending := slices.DeleteFunc(r.World.Pending(), func(e *world.Event) bool {
		_, _, fires := r.World.Fires(e)
		return e.Optional || !fires
	})
	if steps == r.Trace.Loop-1 {
		r.left = pending
		return
	}
	r.left = slices.DeleteFunc(r.left, func(e *world.Event) bool {
		return !slices.Contains(pending, e) || rec.Move.Kind == e.Kind && r.oneName(rec.Move.Event, e)
	})
	if r.at == 0 && r.World.Reached(r.claim) {
		r.at = steps
	}
}

// oneName reports whether two events are of one name: fairness does not tell equal messages in flight apart.
func (r *Replayer) oneName(a, b *world.Event) bool {
	return a.Kind == b.Kind && a.Node == b.Node && a.From == b.From && a.Monitor == b.Monitor &&
		bytes.Equal(r.World.Codec.Any(a.Value, nil), r.World.Codec.Any(b.Value, nil))
}

// unfair says why the loop is no run that breaks the claim, or nothing.
func (r *Replayer) unfair() string {
	switch {
	case r.at > 0:
		return fmt.Sprintf("step %d of its loop reaches the goal of %s", r.at, r.Trace.Claim)
	case len(r.left) > 0:
		e := r.left[0]
		return fmt.Sprintf("its loop is not fair: %v can happen all the time, but never does", traces.Named(r.World, e.Kind, e))
	}
	return ""
}
