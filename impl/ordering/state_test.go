package ordering

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/quorum"
)

// above returns the least rank above another rank that has the client in its low-order bits.
func TestAbove(t *testing.T) {
	for clients := 1; clients <= 9; clients++ {
		c := printed(make([]model.NodeID, 3), clients, quorum.Threshold{N: 3, Size: 2}, 0)
		step := Rank(1) << c.RankBits
		for i := range clients {
			client := c.FirstClient + model.NodeID(i)
			for _, from := range []Rank{0, 1 << 20, Absurd - 40} {
				for r := from; r < from+40; r++ {
					next := c.above(r, client)
					assert.Greater(t, next, r, "clients %d", clients)
					assert.LessOrEqual(t, next, r+step, "clients %d: a lower one would do", clients)
					assert.Equal(t, Rank(i), next%step, "clients %d", clients)
				}
			}
		}
	}
}

// No two clients have the same rank, and none has the rank of σ⁰, up to the last rank that a client exceeds.
func TestRanksAreUnique(t *testing.T) {
	for clients := 1; clients <= 9; clients++ {
		c := printed(make([]model.NodeID, 3), clients, quorum.Threshold{N: 3, Size: 2}, 0)
		for _, from := range []Rank{0, 77, Absurd - 40} {
			owner := map[Rank]int{0: -1}
			for i := range clients {
				r := from
				for range 10 {
					r = c.above(r, c.FirstClient+model.NodeID(i))
					_, taken := owner[r]
					assert.False(t, taken, "clients %d: rank %d", clients, r)
					owner[r] = i
				}
			}
		}
	}
}

// A client's rank exceeds the highest rank that it receives. In the option modest-ranks, it exceeds the highest rank
// that b+1 servers have reached.
func TestTold(t *testing.T) {
	one, two := &Config{Byzantine: 1}, &Config{Byzantine: 2}
	for _, c := range []struct {
		told                         []Rank
		highest, credible, credible2 Rank
	}{
		{nil, 0, 0, 0},
		{[]Rank{7}, 7, 0, 0},
		{[]Rank{7, 3}, 7, 3, 0},
		{[]Rank{3, 9, 7}, 9, 7, 3},
		{[]Rank{9, 9, 2}, 9, 9, 2},
		{[]Rank{Absurd - 1, 2}, Absurd - 1, 2, 0},
		{[]Rank{Absurd, 2}, 2, 2, 0},
		{[]Rank{1<<63 - 1, Absurd}, 0, Absurd, 0},
	} {
		assert.Equal(t, c.highest, highest(c.told), "highest of %v", c.told)
		assert.Equal(t, c.credible, one.credible(c.told), "b = 1, credible of %v", c.told)
		assert.Equal(t, c.credible2, two.credible(c.told), "b = 2, credible of %v", c.told)
	}
}
