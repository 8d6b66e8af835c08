package backoff_test

import (
	"slices"
	"testing"

	"contend/checker"
	"contend/impl/backoff"
)

// sampled is the number of schedules of a check in this test. verify samples the full number of the check.
const sampled = 100

func Test(t *testing.T) {
	p := *backoff.Protocol
	p.Checks = slices.Clone(p.Checks)
	for i := range p.Checks {
		p.Checks[i].Schedules = min(p.Checks[i].Schedules, sampled)
	}
	checker.Test(t, &p)
}
