package ordering

import (
	"slices"
	"testing"

	"contend/checker"
)

// sampled is how many schedules of a check are tried here. verify tries all that the check asks
// for: ten thousand, which take most of a minute.
const sampled = 2000

func Test(t *testing.T) {
	p := *Protocol
	p.Checks = slices.Clone(p.Checks)
	for i := range p.Checks {
		p.Checks[i].Schedules = min(p.Checks[i].Schedules, sampled)
	}
	checker.Test(t, &p)
}
