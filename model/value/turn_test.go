package value_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/value"
)

// In the turns of a map, each of its entries comes first in some turn, and not first in another. Of ten
// thousand series hardly any misses one. The map is the same in each turn.
func TestTurnsMissNothing(t *testing.T) {
	codec, err := value.New(&model.System{}, map[int]int{})
	require.NoError(t, err)
	missed := 0 // the order is random, so one may
	for entries := 2; entries <= 10; entries++ {
		m := map[int]int{}
		for k := range entries {
			m[k] = 7 * k
		}
		b := codec.Any(m, nil)
		for range 10_000 / (entries * entries) {
			first := map[int]int{}
			for turn := range value.Turns(entries) {
				v, counted := codec.TurnedAny(b, turn)
				if counted != entries {
					t.Fatalf("%d entries are counted, not %d", counted, entries)
				}
				for k := range v.(map[int]int) {
					first[k]++
					break
				}
				if turn < entries {
					require.Equal(t, b, codec.Any(v, nil))
				}
			}
			if len(first) < entries {
				missed++
			}
		}
	}
	assert.LessOrEqual(t, missed, 2, "series of some five thousand in which an entry never came first")
	assert.Equal(t, []int{2, 2, 14}, []int{value.Turns(0), value.Turns(1), value.Turns(2)})
}
