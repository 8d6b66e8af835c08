package backoff_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/model"
)

// Sleeps grow with the law of the option, from D = Δ+4δ on, and end where windows do.
func TestSleeps(t *testing.T) {
	const d = 3 + 4*2
	for variant, longest := range map[string][]model.Ticks{
		"": {2, 4, 8, 16}, "quadratic": {4, 9, 16, 25}, "cubic": {8, 27, 64, 125},
	} {
		s, err := backoff.Protocol.System(variant, model.Config{N: 1}.With(model.Delay.Is(2), backoff.Section.Is(3)))
		require.NoError(t, err)
		sleep := s.Setup.(*backoff.Setup).Sleep
		for i, l := range longest {
			assert.Equal(t, model.Uniform(d, l*d), sleep(i+1), variant)
		}
		if variant != "" {
			assert.Equal(t, model.MaxTicks, sleep(1_000_000).Hi.At)
		}
	}
}
