package lin_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/lin"
	"contend/model"
)

// An entry without contention costs 3N messages, two of them in sequence. With another process in the queue, a
// coordinator also votes at the release. The lecture's sum omits this vote.
func TestCosts(t *testing.T) {
	alone := model.Check{Config: model.Config{N: 3}.With(model.Clients.Is(1))}
	for _, c := range []struct {
		cost        string
		check       model.Check
		least, most int
	}{
		{"messages per entry and exit", alone, 9, 9},
		{"messages per entry and exit", model.Check{Config: model.Config{N: 2}.With(model.Clients.Is(1))}, 6, 6},
		{"messages per entry and exit", model.Check{Config: model.Config{N: 3}}, 9, 12},
		{"messages beyond 3N + f(k)", alone, 0, 0},
		{"messages beyond 3N + f(k)", model.Check{Config: model.Config{N: 3}}, 0, 3},
		{"client delay", alone, 2, 2},
		{"synchronization delay", model.Check{Config: model.Config{N: 3}}, 2, 2},
		{"messages per entry and exit", model.Check{Config: model.Config{N: 1}}, 3, 4}, // though nobody can yield
	} {
		for _, cost := range lin.Protocol.Costs {
			if cost.Name != c.cost {
				continue
			}
			row, err := checker.FindCost(lin.Protocol, cost, c.check, checker.Options{Workers: 1})
			require.NoError(t, err)
			require.NotNil(t, row.Least, c.cost)
			assert.Equal(t, []int{c.least, c.most}, []int{row.Least.Number, row.Most.Number}, c.cost)
		}
	}
}

// A round trip is the delay of two processes at an odd number of coordinators. It is not the delay of three processes.
// Releases of two processes are in flight, and the third process yields until one of them arrives. It is not the delay
// of two processes if M is above the smallest majority.
func TestDelaysBeyondARoundTrip(t *testing.T) {
	delay, err := lin.Protocol.Cost("client delay")
	require.NoError(t, err)
	for _, check := range []model.Check{
		{Variant: "slow-releases", Config: model.Config{N: 3}.With(model.Clients.Is(3))},
		{Config: model.Config{N: 3}.With(lin.Majority.Is(3))},
	} {
		row, err := checker.FindCost(lin.Protocol, delay, check, checker.Options{Workers: 1})
		require.NoError(t, err)
		assert.True(t, row.Most.More, "more than %d", row.Most.Number)
	}
}

// A configuration that the lecture excludes is refused in a sentence.
func TestConfigurations(t *testing.T) {
	for _, c := range []struct {
		config model.Config
		err    string
	}{
		{model.Config{N: 3}.With(lin.Majority.Is(4)), "majority is 4, but there are only n = 3 coordinators"},
		{model.Config{N: 4}.With(lin.Majority.Is(2)), "majority is 2 of n = 4 coordinators, but must be more than n/2 (SDX lecture, step c); --beyond-bounds checks it all the same"},
		{model.Config{N: 3, Faults: model.Faults{Restarts: 1}}, "faults: restarts is 1, but mutual exclusion needs fewer than 2M − N = 1 coordinators that forget their votes (SDX lecture, problems); --beyond-bounds checks it all the same"},
		{model.Config{N: 4, Faults: model.Faults{Restarts: 1}}, ""},
		{model.Config{N: 3, Beyond: true}.With(lin.Majority.Is(1)), ""},
	} {
		_, err := lin.Protocol.System("", c.config)
		if c.err == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, c.err)
	}
}
