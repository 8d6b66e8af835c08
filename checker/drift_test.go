package checker_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/backoff"
	"contend/model"
	"contend/traces/replay"
	"contend/traces/show"
)

// A lease of Δ+2δ of a server's own time is too short as soon as clocks drift; one of
// (1+ρ)(Δ+2δ) is long enough, at ρ = 1/4 to the tick, which only -full searches. The run that breaks the former replays.
func TestDriftAndTheLease(t *testing.T) {
	for _, c := range []struct {
		variant string
		rho     int
		want    checker.Verdict
	}{
		{"", 250, checker.Violated}, {"margin", 250, checker.Holds},
	} {
		if c.want == checker.Holds && !*Full {
			continue
		}
		rows, err := checker.Check(backoff.Protocol, model.Check{
			Variant: c.variant, Reading: model.Dense, Claims: []string{"Lemma 1"},
			Config: model.Config{N: 3, Drift: c.rho}.With(model.Clients.Is(3), backoff.Tries.Is(1), model.Delay.Is(1), backoff.Section.Is(2)),
		}, checker.Options{})
		require.NoError(t, err)
		claim := rows[0].Claims[0]
		assert.Equal(t, c.want, claim.Verdict, "%q at ρ = %d/1000", c.variant, c.rho)
		if c.want == checker.Violated {
			run, err := replay.Replay(backoff.Protocol, claim.Counterexample, nil)
			require.NoError(t, err)
			var text strings.Builder
			require.NoError(t, show.Text(&text, run, show.Style{}))
			assert.Contains(t, text.String(), "by a clock that drifts")
			assert.NotRegexp(t, `Soonest|Latest|chooses`, text.String(), "a hold is told as one")
		}
	}
}
