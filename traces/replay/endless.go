package replay

import (
	"fmt"
	"slices"

	"contend/model"
)

// ahead reports whether claims of a kind have a goal that a run may still reach, so that no prefix of a run
// violates them.
func ahead(k model.Kind) bool {
	return k == model.Eventually || k == model.PossibleFromEverywhere || k == model.AlmostSurely
}

// endless is the part of a replay that checks a loop and a point of no return.
type endless struct {
	entry   []string // the state before the loop
	reached int      // the first step after the point of no return that reaches the goal; 0 if none does
	round
}

// look examines the state after a number of steps.
func (r *Replayer) look(steps int) {
	if steps == r.Trace.Loop-1 {
		r.entry = r.World.State()
	}
	if after, ok := r.Trace.NoReturn.Point(); ok && steps >= after && r.reached == 0 && r.World.Reached(r.claim) {
		r.reached = steps
	}
}

// goesOn returns "" if the run continues as the trace records, and otherwise the reason for a divergence.
func (r *Replayer) goesOn() string {
	if r.Trace.Loop > 0 && !slices.Equal(r.entry, r.World.State()) {
		return fmt.Sprintf("its loop does not come back to the state before step %d", r.Trace.Loop)
	}
	if text := r.unfair(); text != "" {
		return text
	}
	if r.reached > 0 {
		return fmt.Sprintf("step %d reaches the goal of %s, behind the point of no return", r.reached, r.Trace.Claim)
	}
	if r.claim.Kind == model.Eventually && r.Trace.Loop == 0 && !r.World.Quiescent() {
		return fmt.Sprintf("the run goes on, and may reach the goal of %s", r.Trace.Claim)
	}
	return ""
}

// goals returns an error if the trace has a loop or a point of no return, but its claim has no goal.
func (r *Replayer) goals() error {
	if (r.Trace.Loop > 0 || r.Trace.NoReturn != nil) && !ahead(r.claim.Kind) {
		return fmt.Errorf("loop and noReturn are of claims about a goal, but %q is not one", r.Trace.Claim)
	}
	return nil
}
