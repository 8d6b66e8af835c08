package ricartagrawala_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/mutex"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// The delay from an exit to the next entry is one message. As a time it is one tick if the request has arrived, and two
// if the request may be in flight.
func TestSynchronizationDelay(t *testing.T) {
	for name, most := range map[string]int{"synchronization delay in time": 2, "synchronization delay in time, request arrived": 1} {
		cost, err := ricartagrawala.Protocol.Cost(name)
		require.NoError(t, err)
		for _, n := range []int{2, 3} {
			check := model.Check{Config: model.Config{N: n}.With(model.Ops.Is(1), mutex.Asking.Is(2)), Reading: model.Grid}
			row, err := checker.FindCost(ricartagrawala.Protocol, cost, check, checker.Options{Workers: 1})
			require.NoError(t, err)
			assert.Equal(t, []int{0, most}, []int{row.Least.Number, row.Most.Number}, "%s, n = %d", name, n)
		}
	}
}
