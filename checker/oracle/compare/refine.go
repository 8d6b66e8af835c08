package compare

import (
	"slices"
	"strings"

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

// refusesPage reports whether a check ended because of what its page comes to. Brute force looks for one
// run of the page at a time, and may find it before it meets that.
func refusesPage(err error) bool {
	return slices.ContainsFunc([]string{"before it shows anything", "Start leads beyond a cut"}, func(why string) bool {
		return strings.Contains(err.Error(), "page page: ") && strings.Contains(err.Error(), why)
	})
}
