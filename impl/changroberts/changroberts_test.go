package changroberts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/checker"
	"contend/impl/changroberts"
	"contend/impl/election"
	"contend/model"
)

// The claims hold in every order of the ring.
func TestOrders(t *testing.T) {
	for ring := range 6 {
		t.Run(fmt.Sprint(ring), func(t *testing.T) {
			config := model.Config{N: 4}.With(changroberts.Ring.Is(ring), election.Initiators.Is(2), election.Initiator.Is(3))
			checker.TestCheck(t, changroberts.Protocol, model.Check{Config: config})
		})
	}
}

// Of n processes there are (n-1)! orders.
func TestNoSuchOrder(t *testing.T) {
	for _, c := range []struct {
		n, ring int
		ok      bool
	}{{1, 0, true}, {1, 1, false}, {2, 1, false}, {3, 1, true}, {3, 2, false}, {5, 23, true}, {5, 24, false}, {9, 5039, true}, {32, 5039, true}} {
		_, err := changroberts.Protocol.System("", model.Config{N: c.n}.With(changroberts.Ring.Is(c.ring)))
		if (err == nil) != c.ok {
			t.Errorf("n = %d, ring %d: %v", c.n, c.ring, err)
		}
	}
}

// A coordinator that is down is not in the ring.
func TestDown(t *testing.T) {
	_, err := changroberts.Protocol.System("", model.Config{N: 3}.With(election.Down.Is(1)))
	if err == nil || !strings.HasSuffix(err.Error(), "--beyond-bounds checks it all the same") {
		t.Error(err)
	}
}

// "Worst case: initiator succeeds the node with the highest ID: 3N-1 (2N-1 Election + N Coordinator)
// sequential messages. Best case: initiator has the highest ID: 2N (N Election + N Coordinator)".
func TestMessages(t *testing.T) {
	for n := 2; n <= 5; n++ {
		reversed := []int{0, 0, 0, 1, 5, 23}[n]
		for _, c := range []struct{ ring, initiator, messages, elections int }{
			{0, 1, 3*n - 1, 2*n - 1},
			{0, n, 2 * n, n},
			{reversed, n - 1, 3*n - 1, 2*n - 1},
			{reversed, n, 2 * n, n},
		} {
			config := model.Config{N: n}.With(changroberts.Ring.Is(c.ring), election.Initiator.Is(c.initiator))
			counts(t, "messages per election", config, c.messages)
			counts(t, "sequential messages", config, c.messages)
			counts(t, "Election messages", config, c.elections)
		}
	}
}

// counts has a cost come to one number in all runs.
func counts(t *testing.T, cost string, config model.Config, want int) {
	t.Helper()
	at := slices.IndexFunc(changroberts.Protocol.Costs, func(c *model.Cost) bool { return c.Name == cost })
	row, err := checker.FindCost(changroberts.Protocol, changroberts.Protocol.Costs[at], model.Check{Config: config}, checker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if row.Least == nil || row.Most == nil || row.Least.Number != want || row.Most.Number != want || !row.Limit.None() {
		t.Errorf("%s: %+v, want %d", row.Command, row, want)
	}
}
