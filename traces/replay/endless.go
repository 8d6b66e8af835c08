package replay

import (
	"fmt"
	"slices"

	"contend/model"
)

// ahead reports whether a claim of a kind is about a goal that is to be reached, and not about what
// has happened.
func ahead(k model.Kind) bool {
	return k == model.Eventually || k == model.PossibleFromEverywhere || k == model.AlmostSurely
}

// endless is what a replay keeps of a run to judge what its trace says of how it goes on.
type endless struct {
	entry   []string // the state before the loop, as text
	reached int      // the first step behind the point of no return in which the goal is reached
	round
}

// look looks at the state after a number of steps.
func (r *Replayer) look(steps int) {
	if steps == r.Trace.Loop-1 {
		r.entry = r.World.State()
	}
	if after, ok := r.Trace.NoReturn.Point(); ok && steps >= after && r.reached == 0 && r.World.Reached(r.claim) {
		r.reached = steps
	}
}

// goesOn says why the run does not go on as the trace says, or nothing.
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

// goals checks that the claim of a trace has a goal, where the trace says how the run misses it.
func (r *Replayer) goals() error {
	if (r.Trace.Loop > 0 || r.Trace.NoReturn != nil) && !ahead(r.claim.Kind) {
		return fmt.Errorf("loop and noReturn are of claims about a goal, but %q is not one", r.Trace.Claim)
	}
	return nil
}
