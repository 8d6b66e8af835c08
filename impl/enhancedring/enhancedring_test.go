package enhancedring_test

import (
	"slices"
	"testing"

	"contend/checker"
	"contend/impl/election"
	"contend/impl/enhancedring"
	"contend/model"
)

// "2N (N Election + N Coordinator) sequential messages always". For N processes with one down the number is
// the same, but two messages are polls without response. The others are sequential.
func TestMessages(t *testing.T) {
	for n := 2; n <= 4; n++ {
		for initiator := 1; initiator <= n; initiator++ {
			config := model.Config{N: n}.With(election.Initiator.Is(initiator))
			for _, cost := range []string{"messages per election", "sequential messages", "responses"} {
				counts(t, cost, config, 2*n)
			}
			if config = config.With(election.Down.Is(1)); n > 2 && initiator < n {
				counts(t, "messages per election", config, 2*n)
				counts(t, "sequential messages", config, 2*(n-1))
				counts(t, "responses", config, 2*(n-1))
			}
		}
	}
}

// "Redundant election messages are not killed off": a second initiator makes as many messages again.
func TestNothingIsKilledOff(t *testing.T) {
	config := model.Config{N: 3}.With(election.Down.Is(1), election.Initiators.Is(2))
	counts(t, "messages per election", config, 2*2*3)
}

// counts checks that a cost has the same number in all runs.
func counts(t *testing.T, cost string, config model.Config, want int) {
	t.Helper()
	at := slices.IndexFunc(enhancedring.Protocol.Costs, func(c *model.Cost) bool { return c.Name == cost })
	check := model.Check{Config: config, Reading: model.Grid}
	row, err := checker.FindCost(enhancedring.Protocol, enhancedring.Protocol.Costs[at], check, checker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if row.Least == nil || row.Most == nil || row.Least.Number != want || row.Most.Number != want || !row.Limit.None() {
		t.Errorf("%s: %+v, want %d", row.Command, row, want)
	}
}
