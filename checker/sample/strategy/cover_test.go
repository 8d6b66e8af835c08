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

// guided are the strategies that begin with what is covered.
var guided = []string{"portfolio", "reward", "coverage"}

// What is added is what was covered, and nothing twice; what strategies begin with stays as it is, and those that are not guided by it
// leave it alone.
func TestCover(t *testing.T) {
	toy := lock(1, 2, 3)
	toy.opens = nil // so that steps lead to more than one state
	for _, k := range strategy.All() {
		by, cover := k.New(), &strategy.Cover{}
		require.Equal(t, slices.Contains(guided, k.Name), strategy.Begin(by, cover), k.Name)
		schedules(toy, by, 1, 256, func(int, []int, []uint64) {})
		data := cover.Fresh()
		assert.Equal(t, slices.Contains(guided, k.Name), data != nil, k.Name)
		if data == nil {
			continue
		}
		other := &strategy.Cover{}
		require.NoError(t, other.Add(data))
		items, states := other.Items(), other.States()
		assert.Equal(t, k.Name != "reward", items > 0, k.Name)
		assert.Equal(t, k.Name != "coverage", states > 0, k.Name)
		assert.Zero(t, cover.Items()+cover.States(), k.Name)
		require.True(t, strategy.Begin(k.New(), other))
		assert.Nil(t, other.Fresh(), k.Name)
		require.NoError(t, other.Add(data))
		assert.Equal(t, []int{items, states}, []int{other.Items(), other.States()}, k.Name)
		assert.Error(t, other.Add(make([]byte, strategy.MostAdditions+1)))
		for _, bad := range [][]byte{nil, {9}, data[:len(data)-1], data[:7], append(slices.Clone(data), 0)} {
			assert.Error(t, other.Add(bad), k.Name)
		}
	}
}

// What a strategy does that begins with additions is a function of these: the same once they were added together or one process after
// the other, and another without them.
func TestCoverDecides(t *testing.T) {
	toy := lock(1, 3, 2, 2, 1, 3, 1)
	for _, name := range guided {
		kind, err := strategy.Find(name)
		require.NoError(t, err)
		run := func(seed uint64, c *strategy.Cover) (orders [][]int, added []byte) {
			by := kind.New()
			require.True(t, strategy.Begin(by, c))
			schedules(toy, by, seed, 256, func(_ int, order []int, _ []uint64) { orders = append(orders, order) })
			return orders, c.Fresh()
		}
		_, a := run(1, &strategy.Cover{})
		_, b := run(2, &strategy.Cover{})
		base := func(all ...[]byte) *strategy.Cover {
			c := &strategy.Cover{}
			require.NoError(t, c.Add(all...))
			return c
		}
		used := base(a, b)
		first, added := run(3, used)
		again, addedAgain := run(3, used) // it was not changed meanwhile
		afresh, addedAfresh := run(3, base(a, b))
		assert.Equal(t, first, again, name)
		assert.Equal(t, first, afresh, name)
		assert.Equal(t, [][]byte{added, added}, [][]byte{addedAgain, addedAfresh}, name)
		alone, _ := run(3, &strategy.Cover{})
		assert.NotEqual(t, first, alone, name)
	}
}

// Whatever bytes a stranger sends, they are refused, or a strategy can go on from them.
func FuzzCover(f *testing.F) {
	by, cover := strategy.NewPortfolio(), &strategy.Cover{}
	strategy.Begin(by, cover)
	toy := lock(1, 2)
	schedules(toy, by, 1, 256, func(int, []int, []uint64) {})
	data := cover.Fresh()
	f.Add(data)
	for i := 0; i < len(data); i += 11 {
		bad := slices.Clone(data)
		bad[i] ^= 0x5a
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, by := &strategy.Cover{}, strategy.NewPortfolio()
		if c.Add(data) == nil && strategy.Begin(by, c) {
			schedules(toy, by, 2, 64, func(int, []int, []uint64) {})
		}
	})
}
