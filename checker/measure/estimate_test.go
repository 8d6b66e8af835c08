package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of many intervals for a known value about 95 % contain it, be the law skewed or its
// draws come in clumps that share a part, as the waits of one run do.
func TestIntervalsCover(t *testing.T) {
	const experiments, runs, clients = 1000, 60, 5
	chance := rand.New(rand.NewPCG(1, 2))
	covered := map[string]int{}
	cover := func(name string, e Estimate, truth float64) {
		require.LessOrEqual(t, e.Low, e.Value)
		require.LessOrEqual(t, e.Value, e.High)
		if e.Low <= truth && truth <= e.High {
			covered[name]++
		}
	}
	for range experiments {
		var exponential []float64
		clumps := make([][]float64, runs)
		for i := range runs {
			exponential = append(exponential, chance.ExpFloat64())
			shared := chance.NormFloat64()
			for range clients {
				clumps[i] = append(clumps[i], 7+shared+chance.NormFloat64())
			}
		}
		cover("mean", mean(exponential), 1)
		q := quantiles(clumps, chance, 0.5, 0.8)
		cover("median", q[0], 7)
		cover("quantile", q[1], 7+math.Sqrt2*0.841621) // of a normal law of variance 2
	}
	for _, name := range []string{"mean", "median", "quantile"} {
		assert.InDelta(t, Confidence*experiments, covered[name], 25, name)
	}
}

func TestEstimates(t *testing.T) {
	e := mean([]float64{1, 2, 3, 4, 5})
	assert.InDelta(t, 3, e.Value, 1e-12)
	assert.InDelta(t, 2.7764451*math.Sqrt(2.5/5), e.High-3, 1e-6, "Student's t with 4 degrees of freedom")
	assert.InDelta(t, e.Half(), 3-e.Low, 1e-12)
	q := quantiles([][]float64{{4, 1}, {3, 2}}, rand.New(rand.NewPCG(1, 1)), 0.5, 0.99)
	assert.Equal(t, 2.0, q[0].Value)
	assert.Equal(t, 4.0, q[1].Value)
	for x, want := range map[float64]string{0: "0.000", 1.23456: "1.235", 12.3456: "12.35", 123.456: "123.5", -1234.5: "-1234"} {
		assert.Equal(t, want, Number(x))
	}
}

// Data that follow a law are told to.
func TestFits(t *testing.T) {
	ts := []float64{4, 8, 16, 32, 64}
	of := func(y func(t float64) float64) Fit {
		var ys []Estimate
		for _, t := range ts {
			ys = append(ys, Estimate{y(t), y(t), y(t)})
		}
		f, ok := fit(ts, ys)
		require.True(t, ok)
		assert.Equal(t, [2]int{4, 64}, [2]int{f.From, f.To})
		return f
	}
	f := of(func(t float64) float64 { return 3*t + 5 })
	assert.Equal(t, "linear", f.Best)
	assert.InDelta(t, 3, f.Linear.A, 1e-9)
	assert.InDelta(t, 5, f.Linear.B, 1e-9)
	assert.InDelta(t, 1, f.Linear.R2, 1e-9)
	assert.Greater(t, f.LogLinear.Error, 0.01)
	f = of(func(t float64) float64 { return 2*t*math.Log2(t) + 1 })
	assert.Equal(t, "t log t", f.Best)
	assert.InDelta(t, 2, f.LogLinear.A, 1e-9)
	f = of(func(t float64) float64 { return 2 * math.Pow(t, 1.5) })
	assert.Equal(t, "power", f.Best)
	assert.InDelta(t, 1.5, f.Power.P.Value, 1e-9)
	assert.InDelta(t, 1.5, f.Power.P.High, 1e-6, "no point lies off the law")
	assert.InDelta(t, 2, f.Power.C, 1e-9)
	f = of(func(float64) float64 { return 6 })
	assert.InDelta(t, 0, f.Power.P.Value, 1e-9)
	assert.Zero(t, f.Linear.R2, "nothing varies")
	f = of(func(t float64) float64 { return t * (1 + 0.1*math.Sin(7*t)) })
	assert.Less(t, f.Power.P.Low, 1.0)
	assert.Greater(t, f.Power.P.High, 1.0)
	vague, ok := fit(ts, []Estimate{{4, 2, 6}, {8, 4, 12}, {16, 8, 24}, {32, 16, 48}, {64, 32, 96}})
	require.True(t, ok)
	assert.InDelta(t, 0.5/math.Ln2/math.Sqrt(10), vague.Power.P.High-1, 1e-9, "points on the law, each vague by half")
	assert.InDelta(t, 1, vague.Tail.Value, 1e-9)
	assert.InDelta(t, math.Sqrt2/2/math.Ln2, vague.Tail.High-1, 1e-9)
	assert.Equal(t, 32, vague.Before)
	_, ok = fit(ts[:2], make([]Estimate, 2))
	assert.False(t, ok, "two points")
	_, ok = fit(ts, make([]Estimate, 5))
	assert.False(t, ok, "nobody waits")
}
