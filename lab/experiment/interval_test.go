package experiment

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The places are from tables of the sign test, two-sided at 5 %, such as Conover's: Practical Nonparametric
// Statistics, table A3.
func TestPlaces(t *testing.T) {
	for n, want := range map[int]int{
		1: 0, 5: 0, 6: 1, 8: 1, 9: 2, 10: 2, 11: 2, 12: 3, 15: 4, 20: 6, 25: 8, 30: 10, 40: 14, 50: 18, 100: 40,
	} {
		assert.Equal(t, want, place(n), n)
	}
}

// The interval between two places contains the median with at least the confidence that is stated, and no narrower one does.
func TestCoverage(t *testing.T) {
	for n := 6; n <= 1000; n++ {
		k := place(n)
		assert.GreaterOrEqual(t, coverage(n, k), 0.95, n)
		assert.Less(t, coverage(n, k+1), 0.95, n)
	}
}

// coverage returns the probability that of n fair coins at least k and at most n − k show heads.
func coverage(n, k int) (sum float64) {
	for i := k; i <= n-k; i++ {
		a, _ := math.Lgamma(float64(n) + 1)
		b, _ := math.Lgamma(float64(i) + 1)
		c, _ := math.Lgamma(float64(n-i) + 1)
		sum += math.Exp(a - b - c - float64(n)*math.Ln2)
	}
	return sum
}

// draws returns known numbers, followed by lower bounds.
func draws(known []float64, caps ...float64) (out []Bounds) {
	for _, n := range known {
		out = append(out, exactly(n))
	}
	for _, n := range caps {
		out = append(out, moreThan(n))
	}
	return out
}

// A bug that was not found counts as more than all sampled schedules. The median and its interval are such
// lower bounds, too.
func TestCensored(t *testing.T) {
	for _, c := range []struct {
		draws             []Bounds
		median, low, high string
	}{
		{draws([]float64{50, 10, 40, 30, 20, 60}), "30", "10", "60"},
		{draws([]float64{50, 10, 40, 30, 20}, 100), "30", "10", "> 100"},
		{draws([]float64{10, 20}, 100, 100, 100, 100), "> 100", "10", "> 100"},
		{draws(nil, 100, 100, 100, 100, 100, 100), "> 100", "> 100", "> 100"},
		{draws([]float64{10, 20, 30, 40}, 5, 100), "20 to 30", "6 to 10", "> 100"}, // a timeout came early: its number may be any from 6
		{draws([]float64{10, 20, 30, 40, 50, 60, 70, 80}, 100, 100), "50", "20", "> 100"},
	} {
		low, high, ok := interval(c.draws)
		require.True(t, ok)
		assert.Equal(t, []string{c.median, c.low, c.high}, []string{median(c.draws).String(), low.String(), high.String()})
	}
	_, _, ok := interval(draws([]float64{1, 2, 3, 4, 5}))
	assert.False(t, ok, "five draws are too few")
}

func TestJSONOfBounds(t *testing.T) {
	text, err := json.Marshal(draws([]float64{12}, 1000))
	require.NoError(t, err)
	assert.JSONEq(t, `[{"atLeast":12,"atMost":12},{"atLeast":1001}]`, string(text))
}
