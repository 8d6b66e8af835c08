package compare

import (
	"slices"
	"strings"

	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

// refine compares two claims of refinement: that the system refines another random one, and that random
// callers refine a page without scripts.
func (c *Comparison) refine(it random.Case, limit int) {
	if claim, ok := random.Page(c.Seed, it); ok {
		c.refines(it, claim, limit)
	}
	callers, claim := random.Callers(c.Seed)
	if c.refines(callers, claim, limit) {
		c.feature(Driven)
	}
}

// refines compares a claim of refinement, and reports whether brute force decides it.
func (c *Comparison) refines(it random.Case, claim []model.Claim, limit int) bool {
	it.Claims, it.Costs = claim, nil
	truth, err := oracle.Judge(it.System, it.Claims, it.Reading, limit)
	if err != nil {
		return false // the observations multiply the states
	}
	truth.States = 0 // for the same reason the search has fewer
	c.checkAll(it, truth, settings(c.Seed+1, it))
	return true
}

// refusesPage reports whether a check refused its page. Brute force searches for one run of the page, and may
// find it before the refused part.
func refusesPage(err error) bool {
	return slices.ContainsFunc([]string{"before it shows anything", "Start leads beyond a cut"}, func(why string) bool {
		return strings.Contains(err.Error(), "page page: ") && strings.Contains(err.Error(), why)
	})
}
