package experiment

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/ricartagrawala"
	"contend/model"
)

// of returns a mutant at its check.
func of(t *testing.T, p *model.Protocol, name string) Mutant {
	t.Helper()
	v, err := p.Variant(name)
	require.NoError(t, err)
	c := v.Show
	c.Variant, c.Claims = name, []string{v.Breaks}
	if c.Reading == model.Grid {
		c.Reading = model.Dense
	}
	return Mutant{p, c}
}

// The number is the number of the first schedule that violates the claim: with one schedule fewer there is no
// violation. It does not depend on the number of threads. The second claim is also judged at the end of a
// schedule.
func TestFirst(t *testing.T) {
	for _, m := range []Mutant{of(t, ricartagrawala.Protocol, "clock-not-merged"), of(t, ricartagrawala.Protocol, "one-reply-short")} {
		opt := Options{Strategies: []string{"portfolio", "pos", "coverage"}, Seeds: 4, Seed: 5, Schedules: 400, Workers: 1}
		one, err := Compare(m, opt)
		require.NoError(t, err)
		opt.Workers = 3
		several, err := Compare(m, opt)
		require.NoError(t, err)
		late := 0
		for i, c := range one {
			assert.Equal(t, c.Median, several[i].Median)
			for k, try := range c.Tries {
				assert.Equal(t, try.Schedules, several[i].Tries[k].Schedules)
				if !try.Found || try.Schedules < 2 {
					continue
				}
				late++
				first, err := firstViolation(m, c.Strategy, opt.Seed+uint64(k), 2, Options{Schedules: int(try.Schedules) - 1})
				require.NoError(t, err)
				assert.Equal(t, []any{false, try.Schedules - 1}, []any{first.found, first.schedules})
			}
		}
		assert.NotZero(t, late, "some are not found by the first schedule")
	}
}

// A sampling without a violation reports the number of its schedules, and the reason for its end.
func TestNotFound(t *testing.T) {
	m := of(t, ricartagrawala.Protocol, "replies-by-three-bits")
	catches, err := Compare(m, Options{Strategies: []string{"pos"}, Seeds: 2, Schedules: 30})
	require.NoError(t, err)
	c := catches[0]
	assert.Equal(t, []string{"> 30", "–"}, []string{c.Median.String(), c.Interval()})
	for _, try := range c.Tries {
		assert.Equal(t, Try{Seed: try.Seed, Schedules: 30, Seconds: try.Seconds, Limit: "schedules"}, try)
	}
	catches, err = Compare(m, Options{Strategies: []string{"pos"}, Seeds: 1, Schedules: 1 << 30, Timeout: time.Nanosecond})
	require.NoError(t, err)
	assert.Equal(t, Try{Seed: "0", Seconds: catches[0].Seconds, Limit: "timeout"}, catches[0].Tries[0])
	assert.Equal(t, "> 0", catches[0].Median.String())
}
