package ordering

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/ordering/object"
	"contend/model"
)

// Each variant's system makes the calls of its workload.
func TestVariantsHaveTheirWorkload(t *testing.T) {
	for name, w := range map[string]object.Workload{
		"": object.Appends, "register": object.ReadsAndWrites, "counter": object.Adds,
		"map": object.PutsAndLookups, "cards": object.Deals,
	} {
		s, err := Protocol.System(name, model.Config{N: 1}.With(model.Ops.Is(3)))
		require.NoError(t, err)
		for i, id := range clients(s) {
			require.Len(t, s.Nodes[id].Script, 3)
			for k, op := range s.Nodes[id].Script {
				assert.Equal(t, w(i, k), op.Call, "%s: call %d of client %d", name, k, i)
			}
		}
	}
}
