package minimize

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
)

// Steps go together by their node, by the operation of their node, which begins with its invocation, and as faults; and a step needs those before
// it at its node, and the one that made its event.
func TestGroupsOfSteps(t *testing.T) {
	of := &result{births: map[*world.Event]birth{}}
	step := func(kind model.EventKind, node model.NodeID, made int) {
		r := world.Record{Node: node, Move: world.Move{Kind: kind, Node: node}}
		if !kind.Adversarial() || kind == model.Lose {
			e := &world.Event{Kind: kind, Node: node}
			r.Move.Event, of.births[e] = e, birth{made, 1}
		}
		of.records = append(of.records, r)
	}
	step(model.Timeout, 0, 0)
	step(model.Invoke, 1, 0)
	step(model.Invoke, 0, 0)
	step(model.Stop, 2, 0)
	step(model.Deliver, 0, 2)
	step(model.Invoke, 1, 2)
	step(model.Partition, -1, 0)
	step(model.Expire, -1, 5)
	step(model.Lose, 3, 6)
	step(model.Deliver, 1, 1)
	assert.Equal(t, [][]int{{0, 2, 4}, {1, 5, 9}, {3}, {8}}, of.byNode())
	assert.Equal(t, [][]int{{1}, {2, 4}, {5, 9}}, of.byOperation())
	assert.Equal(t, [][]int{{3}, {6}, {8}}, of.faults())
	assert.Len(t, of.singletons(), 10)
	needs := func(i int) (all []int) {
		for j, is := range of.needs(func(k int) bool { return k == i }) {
			if is {
				all = append(all, j)
			}
		}
		return all
	}
	assert.Equal(t, []int{0, 1, 2, 4}, needs(4))
	assert.Equal(t, []int{3}, needs(3))
	assert.Equal(t, []int{0, 1, 2, 4, 7}, needs(7), "an alarm of a monitor needs what set it")
	assert.Equal(t, []int{1, 5, 8}, needs(8))
	assert.Equal(t, []int{0, 1, 5, 9}, needs(9))
}
