package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the level of all confidence intervals.
const Confidence = 0.95

// An Estimate is a measured value with a confidence interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// mean estimates a mean from at least two independent draws, by Student's t. It is exact for a normal law,
// and asymptotic for others.
func mean(draws []float64) Estimate {
	m, sd := stat.MeanStdDev(draws, nil)
	half := student(len(draws)-1) * stat.StdErr(sd, float64(len(draws)))
	return Estimate{m, m - half, m + half}
}

// student returns the quantile of Student's t for a two-sided interval.
func student(freedom int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile((1 + Confidence) / 2)
}

// resamples is the number of bootstrap samples.
const resamples = 400

// quantiles estimates quantiles of one client's wait from the waits of independent runs. Waits within a run
// are dependent, so the bootstrap samples whole runs. The intervals are bootstrap percentiles.
func quantiles(runs [][]float64, chance *rand.Rand, ps ...float64) []Estimate {
	waits, owners := pooled(runs)
	weights := make([]float64, len(waits))
	drawn := make([][]float64, len(ps))
	counts := make([]float64, len(runs))
	for range resamples {
		clear(counts)
		for range runs {
			counts[chance.IntN(len(runs))]++
		}
		for i, run := range owners {
			weights[i] = counts[run]
		}
		for k, p := range ps {
			drawn[k] = append(drawn[k], stat.Quantile(p, stat.Empirical, waits, weights))
		}
	}
	out := make([]Estimate, len(ps))
	for k, p := range ps {
		slices.Sort(drawn[k])
		out[k] = Estimate{
			Value: stat.Quantile(p, stat.Empirical, waits, nil),
			Low:   stat.Quantile((1-Confidence)/2, stat.Empirical, drawn[k], nil),
			High:  stat.Quantile((1+Confidence)/2, stat.Empirical, drawn[k], nil),
		}
	}
	return out
}

// pooled returns the sorted waits of all runs, and the run of each.
func pooled(runs [][]float64) (waits []float64, owners []int) {
	for run, some := range runs {
		for _, w := range some {
			waits, owners = append(waits, w), append(owners, run)
		}
	}
	order := make([]int, len(waits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case waits[a] < waits[b]:
			return -1
		case waits[a] > waits[b]:
			return 1
		}
		return a - b
	})
	sorted, run := make([]float64, len(waits)), make([]int, len(waits))
	for i, at := range order {
		sorted[i], run[i] = waits[at], owners[at]
	}
	return sorted, run
}

// Half returns half the width of an interval; the wider half if it is asymmetric.
func (e Estimate) Half() float64 { return math.Max(e.High-e.Value, e.Value-e.Low) }

// Number formats a measured number with about four digits.
func Number(x float64) string {
	switch abs := math.Abs(x); {
	case abs >= 1000:
		return fmt.Sprintf("%.0f", x)
	case abs >= 100:
		return fmt.Sprintf("%.1f", x)
	case abs >= 10:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3f", x)
}
