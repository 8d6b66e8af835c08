package replay

import (
	"bytes"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// A round checks the loop of a trace that violates an eventually claim: the loop must be fair, and none of its
// states may be at the goal. The search checked this too, but the protocol may have changed since.
type round struct {
	enabled  []*world.Event // enabled in each state of the loop so far, and no step executed an equal one
	goalStep int            // the first step of the loop that reaches the goal; 0 if none does
}

// rounds examines the state after a number of steps. The record is the record of the last step; nil before
// the first.
func (r *Replayer) rounds(steps int, rec *world.Record) {
	if r.Trace.Loop == 0 || r.claim.Kind != model.Eventually || steps < r.Trace.Loop-1 {
		return
	}
	pending := slices.DeleteFunc(r.World.Pending(), func(e *world.Event) bool {
		_, _, fires := r.World.Fires(e)
		return e.Optional || !fires
	})
	if steps == r.Trace.Loop-1 {
		r.enabled = pending
		return
	}
	r.enabled = slices.DeleteFunc(r.enabled, func(e *world.Event) bool {
		return !slices.Contains(pending, e) || rec.Move.Kind == e.Kind && r.oneName(rec.Move.Event, e)
	})
	if r.goalStep == 0 && r.World.Reached(r.claim) {
		r.goalStep = steps
	}
}

// oneName reports whether two events are equal for fairness: equal messages in flight are not distinguished.
func (r *Replayer) oneName(a, b *world.Event) bool {
	return a.Kind == b.Kind && a.Node == b.Node && a.From == b.From && a.Monitor == b.Monitor &&
		bytes.Equal(r.World.Codec.Any(a.Value, nil), r.World.Codec.Any(b.Value, nil))
}

// unfair returns the reason that the loop does not violate the claim, or "".
func (r *Replayer) unfair() string {
	switch {
	case r.goalStep > 0:
		return fmt.Sprintf("step %d of its loop reaches the goal of %s", r.goalStep, r.Trace.Claim)
	case len(r.enabled) > 0:
		e := r.enabled[0]
		return fmt.Sprintf("its loop is not fair: %v can happen all the time, but never does", traces.Named(r.World, e.Kind, e))
	}
	return ""
}
