package compare

import (
	"contend/checker/internal/random"
	"contend/checker/oracle"
)

// refine compares what is said of whether the system refines another random one.
func (c *Comparison) refine(it random.Case, limit int) {
	claim, ok := random.Page(c.Seed, it)
	if !ok {
		return
	}
	it.Claims, it.Costs = claim, nil
	truth, err := oracle.Judge(it.System, it.Claims, it.Reading, limit)
	if err != nil {
		return // what was seen so far makes more states
	}
	for _, set := range settings(c.Seed+1, it) {
		c.with(it, truth, set)
	}
}
