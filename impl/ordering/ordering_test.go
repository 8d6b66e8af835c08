package ordering

import (
	"flag"
	"slices"
	"testing"

	"contend/checker"
	"contend/model"
)

// full is for changes to the protocol or to the search: go test ./impl/ordering -full.
var full = flag.Bool("full", false, "search the large state spaces too")

// sampled is the number of schedules of a check in this test. verify samples the full number of the check.
const sampled = 200

// large are the mutants whose violation takes seconds to find.
var large = []string{"commit-does-not-raise", "earlier-acks", "applies-again", "completed-very-early", "propose-does-not-raise"}

// Without -full, the test omits the checks of more than a second and the slowest mutants. verify runs these checks.
func Test(t *testing.T) {
	p := *Protocol
	p.Checks = slices.Clone(p.Checks)
	for i := range p.Checks {
		p.Checks[i].Schedules = min(p.Checks[i].Schedules, sampled)
		if !*full {
			p.Checks[i].Schedules = min(p.Checks[i].Schedules, sampled/5)
		}
	}
	if !*full {
		p.Checks = slices.DeleteFunc(p.Checks, takesSeconds)
		p.Variants = slices.DeleteFunc(slices.Clone(p.Variants), func(v model.Variant) bool { return slices.Contains(large, v.Name) })
	}
	checker.Test(t, &p)
}

// takesSeconds reports whether a default check takes more than a second.
func takesSeconds(c model.Check) bool {
	attempts, clients := Attempts.Of(c.Config), model.Clients.Of(c.Config)
	switch c.Variant {
	case "": // two servers, two passages, two operations, or three clients
		return c.Config.N > 1 || attempts > 1 || model.Ops.Of(c.Config) > 1 || clients > 2
	case "seeded":
		return c.Config.N == 2 || c.Config.B == 0 && attempts == 1 || c.Config.B == 1 && len(c.Claims) == len(corrected)
	case "composed-truncated", "late-answer", "late-commit", "racing":
		return true
	}
	return false
}
