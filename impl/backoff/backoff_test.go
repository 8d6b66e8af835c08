package backoff_test

import (
	"slices"
	"testing"

	"contend/checker"
	"contend/impl/backoff"
)

// sampled is how many schedules of a check are tried here; verify tries all that the check asks for.
const sampled = 100

func Test(t *testing.T) {
	p := *backoff.Protocol
	p.Checks = slices.Clone(p.Checks)
	for i := range p.Checks {
		p.Checks[i].Schedules = min(p.Checks[i].Schedules, sampled)
	}
	checker.Test(t, &p)
}
