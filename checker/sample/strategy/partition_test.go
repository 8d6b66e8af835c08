package strategy

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Chains are chains: of two events of one, the earlier is before the later. There are as many as events can be without order: in
// a forest, that is the number of its leaves.
func TestChainPartition(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		c := &chains{}
		var parents, pending []int32 // by event; those that have not happened
		happened := map[int32]int32{0: -1}
		of := map[int][]int32{}
		add := func(cause, parent int32) {
			id := int32(len(parents))
			parents, pending = append(parents, parent), append(pending, id)
			chain := c.chain(Event{ID: id, Cause: cause})
			of[chain] = append(of[chain], id)
		}
		for range 1 + r.IntN(4) {
			add(0, -1)
		}
		leaves := 0
		for step := int32(1); len(pending) > 0; step++ {
			at := r.IntN(len(pending))
			id := pending[at]
			pending = append(pending[:at], pending[at+1:]...)
			happened[step] = id
			c.observe(Step{Number: int(step), Event: Event{ID: id, Cause: causeOf(happened, parents[id])}})
			children := 0
			if len(parents) < 40 {
				children = [...]int{0, 1, 1, 1, 1, 1, 2, 2}[r.IntN(8)]
			}
			for range children {
				add(step, id)
			}
			if children == 0 {
				leaves++
			}
		}
		for chain, events := range of {
			for i := 1; i < len(events); i++ {
				assert.True(t, before(parents, events[i-1], events[i]), "seed %d: chain %d: %v", seed, chain, events)
			}
		}
		assert.Len(t, of, leaves, "seed %d", seed)
	}
}

// causeOf is the step that an event was.
func causeOf(happened map[int32]int32, event int32) int32 {
	for step, id := range happened {
		if step > 0 && id == event {
			return step
		}
	}
	return 0
}

// before reports whether an event is a cause of another.
func before(parents []int32, a, b int32) bool {
	for ; b >= 0; b = parents[b] {
		if a == b {
			return true
		}
	}
	return false
}
