package strategy

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each member of the portfolio makes its share of the schedules, numbered as if there were no others.
func TestShares(t *testing.T) {
	p := NewPortfolio()
	require.Equal(t, "delays", p.Maker(0))
	cycles, made := 5, map[string]int{}
	for number := range cycles * len(p.turns) {
		m, own := p.assign(number)
		require.Equal(t, made[m.name], own, "schedule %d is of %s", number, m.name)
		require.Equal(t, m.name, p.Maker(number))
		made[m.name]++
	}
	for _, s := range shares {
		assert.Equal(t, cycles*s.schedules, made[s.name], s.name)
	}
	first := map[string]bool{}
	for number := range len(p.members) + 4 {
		first[p.Maker(number)] = true
	}
	assert.Len(t, first, len(p.members), "their turns are spread")
}
