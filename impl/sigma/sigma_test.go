package sigma_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/impl/sigma"
	"contend/model"
)

// By default, m is ⌈2n/3⌉ and f is the largest number below n/3. A configuration beyond the bounds of Theorem 1 is
// refused in a sentence.
func TestBounds(t *testing.T) {
	restarts := model.Faults{Restarts: 1}
	for _, c := range []struct {
		config model.Config
		m      int
		err    string
	}{
		{model.Config{N: 1}, 1, ""},
		{model.Config{N: 2}, 2, ""},
		{model.Config{N: 3}, 2, ""},
		{model.Config{N: 4, Faults: restarts}, 3, ""},
		{model.Config{N: 7}.With(sigma.Faulty.Is(2)), 5, ""},
		{model.Config{N: 3, Beyond: true, Faults: restarts}, 2, ""},
		{model.Config{N: 2}.With(sigma.M.Is(3)), 0, "m is 3, but there are only n = 2 servers"},
		{model.Config{N: 2}.With(sigma.M.Is(1)), 0, "m is 1: two quorums of n = 2 servers may share only 0, but must share more than failures = 0; --beyond-bounds checks it all the same"},
		{model.Config{N: 4}.With(sigma.M.Is(4)), 0, "m is 4: of n = 4 servers, failures = 1 may be down, and then no quorum answers; --beyond-bounds checks it all the same"},
		{model.Config{N: 3, Faults: restarts}, 0, "restarts is 1, but failures is 0, and each crash may hit another server; --beyond-bounds checks it all the same"},
		{model.Config{N: 3}.With(sigma.Faulty.Is(1)), 0, "m is 2: two quorums of n = 3 servers may share only 1, but must share more than failures = 1; --beyond-bounds checks it all the same"},
		{model.Config{N: 1}.With(sigma.Checks.Is(1), sigma.Periodic.Is(1)), 0, "checks is 1, but periodic CHECKs have no bound"},
	} {
		s, err := sigma.Protocol.System("", c.config)
		if c.err != "" {
			assert.EqualError(t, err, c.err)
			continue
		}
		if assert.NoError(t, err) {
			assert.Equal(t, c.m, sigma.M.Of(s.Config))
		}
	}
}

// Harmless edits pass with two requests of each client, and with three requests of one client.
func TestHarmless(t *testing.T) {
	for _, edit := range []string{"answers-older", "owner-alone", "suspects-queued", "never-inquires", "only-inquires", "newer-only"} {
		for _, c := range []model.Check{
			{Variant: edit, Config: model.Config{N: 1}.With(model.Ops.Is(2), sigma.Checks.Is(1))},
			{Variant: "fifo+" + edit, Config: model.Config{N: 2}.With(model.Ops.Is(2))},
			{Variant: "fifo+" + edit, Config: model.Config{N: 1}.With(model.Ops.Is(3))},
		} {
			t.Run(c.Variant, func(t *testing.T) { checker.TestCheck(t, sigma.Protocol, c) })
		}
	}
}
