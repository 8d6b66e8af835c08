package replay

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// metered returns the claim whose monitor meters the cost that the trace names.
func metered(p *model.Protocol, t *traces.Trace) ([]model.Claim, error) {
	i := slices.IndexFunc(p.Costs, func(c *model.Cost) bool { return c.Name == t.Cost.Name })
	switch {
	case i < 0:
		return nil, fmt.Errorf("cost: protocol %s has no cost %.60q", p.Name, t.Cost.Name)
	case t.Claim != "" || len(t.Watched) > 0:
		return nil, fmt.Errorf("cost: a trace that names a cost names no claim and nothing watched")
	}
	return []model.Claim{p.Costs[i].Claim()}, nil
}

// costs returns "" if the cost of the run is the recorded number, and otherwise the reason for a divergence.
func (r *Replayer) costs() string {
	if !comesTo(r.World, r.watched[0], r.Trace.Cost.Number) {
		return fmt.Sprintf("%s does not come to %d", r.Trace.Cost.Name, r.Trace.Cost.Number)
	}
	return ""
}

// comesTo reports whether the last step of a run results in the cost n.
func comesTo(w *world.World, c model.Claim, n int) bool {
	if c.Cost.AtEnd {
		return w.Ended() && slices.Contains(w.Totals(c), n)
	}
	return slices.Contains(w.Measured, world.Measurement{Claim: c.Name, Number: n, Step: w.Steps})
}
