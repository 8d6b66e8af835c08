package confirm

import (
	"fmt"
	"slices"

	"contend/checker/search"
	"contend/model"
	"contend/model/world"
)

// atEnd reports whether a claim is a cost that is measured at the end of a run. Then no message may be in
// flight.
func atEnd(c model.Claim) bool { return c.Cost != nil && c.Cost.AtEnd }

// comesTo checks that a run has the search's cost.
func comesTo(w *world.World, claim model.Claim, c search.Candidate) error {
	if atEnd(claim) {
		if all := w.Totals(claim); !w.Ended() || !slices.Contains(all, c.Number) {
			return fmt.Errorf("cost %s: after %d steps the run has ended: %v, and its cost is %v, not %d", claim.Name, len(c.Steps), w.Ended(), all, c.Number)
		}
		return nil
	}
	for _, m := range w.Measured {
		if m.Claim == claim.Name && m.Number == c.Number && m.Step == w.Steps {
			return nil
		}
	}
	return fmt.Errorf("cost %s: the cost is not %d after %d steps", claim.Name, c.Number, len(c.Steps))
}
