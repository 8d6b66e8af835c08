package view_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/multicast"
	"contend/impl/multicast/view"
	"contend/model"
)

// A leave costs n views, (n − 1)² flushes, and copies of other processes' messages: n − 2 copies by each
// remaining process, and n − 1 by the process that leaves. The first process leaves, and the given number of
// first processes multicast.
func TestTheCostOfALeave(t *testing.T) {
	cost, err := view.Protocol.Cost("messages per view change")
	require.NoError(t, err)
	for senders, most := range map[int]int{1: 7 + 2, 2: 7 + 1 + 2 + 2} {
		check := model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(1), multicast.Senders.Is(senders), view.Leavers.Is(1))}
		row, err := checker.FindCost(view.Protocol, cost, check, checker.Options{Workers: 1})
		require.NoError(t, err)
		assert.Equal(t, most, row.Most.Number, "%d senders", senders)
	}
}
