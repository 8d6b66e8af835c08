package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// Counts and chains stop at one above the cost's largest number, so that infinite runs have finitely many
// states.
func TestCountsStop(t *testing.T) {
	c := &model.Cost{Most: 3}
	n, chain := 0, model.ChainFrom(4)
	var counts, lengths []int
	for range 6 {
		n, chain = c.Counted(n), chain.Longer(c)
		counts, lengths = append(counts, n), append(lengths, chain.Length())
	}
	assert.Equal(t, []int{1, 2, 3, 4, 4, 4}, counts)
	assert.Equal(t, counts, lengths)
	assert.Equal(t, 4, chain.Op())
	assert.Equal(t, 1000, (&model.Cost{}).Largest())
}

// The chain of a later operation is greater, however long the other is; no chain stays no chain.
func TestChainsOfLaterOperationsAreGreater(t *testing.T) {
	most := &model.Cost{Most: 30_000}
	earlier, later := model.ChainFrom(0), model.ChainFrom(1)
	for range 31_000 {
		earlier = earlier.Longer(most)
	}
	assert.Equal(t, 30_001, earlier.Length())
	assert.Equal(t, 0, earlier.Op())
	assert.Less(t, earlier, later)
	assert.Less(t, later, later.Longer(most))
	assert.Less(t, model.ChainFrom(999), model.ChainFrom(1000))
	assert.Zero(t, model.Chain(0).Longer(most))
}
