package minimize

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/impl/backoff"
	"contend/model"
	"contend/model/world"
)

// Each fault that a configuration allows makes it larger by one, as each node does, and the leave to go beyond bounds.
func TestExtents(t *testing.T) {
	m := &minimizer{protocol: backoff.Protocol}
	extent := func(change func(c *model.Config)) int64 {
		c := model.Config{N: 3}
		change(&c)
		return m.extent(&stage{system: &model.System{Config: c}})
	}
	least := extent(func(*model.Config) {})
	for name, change := range map[string]func(c *model.Config){
		"loss": func(c *model.Config) { c.Faults.Loss++ }, "duplication": func(c *model.Config) { c.Faults.Duplication++ },
		"crashes": func(c *model.Config) { c.Faults.Crashes++ }, "restarts": func(c *model.Config) { c.Faults.Restarts++ },
		"suspicions": func(c *model.Config) { c.Faults.Suspicions++ }, "partitions": func(c *model.Config) { c.Faults.Partitions++ },
		"drift": func(c *model.Config) { c.Drift++ }, "beyond bounds": func(c *model.Config) { c.Beyond = true },
	} {
		assert.Equal(t, least+1, extent(change), name)
	}
	assert.Greater(t, extent(func(c *model.Config) { c.N++ }), least)
}

// The steps of a plan are at the times of the run, in the plan's parts of a tick, rounded down, unless the plan has others.
func TestTimesOfPlans(t *testing.T) {
	of := &result{parts: 4, records: []world.Record{{At: 0}, {At: 3}, {At: 8}}}
	for parts, want := range map[int64][]world.Time{0: {0, 3, 8}, 4: {0, 3, 8}, 1: {0, 0, 2}, 2: {0, 1, 4}, 3: {0, 2, 6}, 8: {0, 6, 16}} {
		p := plan{base: of, parts: parts}
		assert.Equal(t, max(parts, 4*b2i(parts == 0)), p.ticks())
		for i := range want {
			assert.Equal(t, want[i], p.instant(i), "step %d in %d parts", i+1, parts)
		}
	}
	p := plan{base: of, parts: 2, times: []world.Time{5, 6, 7}}
	assert.Equal(t, world.Time(6), p.instant(1))
}

// Where nodes have to go, those that are least active go first, or with another way those after them, and the others keep their order.
func TestFewerNodes(t *testing.T) {
	of := &result{}
	nodes, active := []model.NodeID{1, 2, 4, 5}, []int{9, 7, 3, 9, 5, 3}
	for leave, want := range [][]model.NodeID{{1, 4}, {1, 2}, {2, 5}, {4, 5}} {
		assert.Equal(t, want, of.selectNodes(nodes, 2, active, leave), "way %d", leave)
	}
	assert.Equal(t, []model.NodeID{1, 2, 4, 5}, nodes)
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
