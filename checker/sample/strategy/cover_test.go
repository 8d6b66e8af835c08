package strategy_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample/strategy"
)

// jobs runs schedules of a lock in jobs of 64, each of a strategy of its own, until it opens, and returns how many ran. Shared jobs
// begin with what those before covered, through the bytes that one process sends to another.
func jobs(t *testing.T, toy *toy, seed uint64, shared bool) (n int) {
	const most = 6000
	var all [][]byte
	for ; n < most; n += 64 {
		by, cover := &strategy.Coverage{}, &strategy.Cover{}
		if shared {
			for _, data := range all {
				require.NoError(t, cover.Add(data))
			}
			require.True(t, strategy.Begin(&strategy.Fair{Strategy: by}, cover))
		}
		opens := false
		schedules(toy, by, seed+uint64(n), 64, func(_ int, _ []int, states []uint64) {
			opens = opens || slices.Contains(states, uint64(len(toy.opens)))
		})
		if opens {
			return n
		}
		if data := cover.Fresh(); data != nil {
			all = append(all, data)
		}
	}
	return most
}

// Jobs that share what they cover open a lock of 3⁷ orders far sooner than jobs that begin anew.
func TestShared(t *testing.T) {
	toy := lock(1, 3, 2, 2, 1, 3, 1)
	shared, alone := 0, 0
	for seed := range uint64(10) {
		shared += jobs(t, toy, seed*7919, true)
		alone += jobs(t, toy, seed*7919, false)
	}
	t.Logf("shared: %d schedules, alone %d", shared/10, alone/10)
	assert.Less(t, shared*3, alone)
}

// What is added is what was covered, and nothing twice; a strategy that is not guided by it leaves it alone.
func TestCover(t *testing.T) {
	by, cover := &strategy.Coverage{}, &strategy.Cover{}
	require.True(t, strategy.Begin(by, cover))
	schedules(lock(1, 2, 3), by, 1, 64, func(int, []int, []uint64) {})
	data := cover.Fresh()
	require.NotEmpty(t, data)
	assert.Nil(t, cover.Fresh())
	other := &strategy.Cover{}
	for range 2 {
		require.NoError(t, other.Add(data))
		assert.Equal(t, cover.Items(), other.Items())
	}
	require.True(t, strategy.Begin(&strategy.Coverage{}, other))
	assert.Nil(t, other.Fresh())
	for _, k := range strategy.All() {
		assert.Equal(t, k.Name == "coverage", strategy.Begin(k.New(), other), k.Name)
	}
	assert.Error(t, other.Add(make([]byte, strategy.MostAdditions+1)))
	for _, bad := range [][]byte{nil, {9}, data[:len(data)-1], data[:7], append(slices.Clone(data), 0)} {
		assert.Error(t, other.Add(bad))
	}
}

// Whatever bytes a stranger sends, they are refused, or a strategy can go on from them.
func FuzzCover(f *testing.F) {
	by, cover := &strategy.Coverage{}, &strategy.Cover{}
	strategy.Begin(by, cover)
	toy := lock(1, 2)
	schedules(toy, by, 1, 64, func(int, []int, []uint64) {})
	data := cover.Fresh()
	f.Add(data)
	for i := 0; i < len(data); i += 11 {
		bad := slices.Clone(data)
		bad[i] ^= 0x5a
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, by := &strategy.Cover{}, &strategy.Coverage{}
		if c.Add(data) == nil && strategy.Begin(by, c) {
			schedules(toy, by, 2, 64, func(int, []int, []uint64) {})
		}
	})
}
