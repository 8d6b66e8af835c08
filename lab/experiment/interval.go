package experiment

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Bounds are bounds on a number. A number of schedules is right-censored if the sampling ended before the
// violation. The bounds of a known number are equal.
type Bounds struct {
	AtLeast float64
	AtMost  float64 // +Inf if unknown
}

// exactly returns the bounds of a known number. moreThan returns the bounds of an unknown number above n.
func exactly(n float64) Bounds  { return Bounds{n, n} }
func moreThan(n float64) Bounds { return Bounds{n + 1, math.Inf(1)} }

// Known reports whether the number is known.
func (b Bounds) Known() bool { return b.AtLeast == b.AtMost }

// String formats a whole number: "12", "> 1000", or "12 to 40".
func (b Bounds) String() string {
	switch {
	case b.Known():
		return fmt.Sprintf("%.0f", b.AtLeast)
	case math.IsInf(b.AtMost, 1):
		return fmt.Sprintf("> %.0f", b.AtLeast-1)
	}
	return fmt.Sprintf("%.0f to %.0f", b.AtLeast, b.AtMost)
}

// Factor formats a real number: "1.3", "≥ 1.3", or "1.3 to 4.0".
func (b Bounds) Factor() string {
	switch {
	case b.Known():
		return fmt.Sprintf("%.1f", b.AtLeast)
	case math.IsInf(b.AtMost, 1):
		return fmt.Sprintf("≥ %.1f", b.AtLeast)
	}
	return fmt.Sprintf("%.1f to %.1f", b.AtLeast, b.AtMost)
}

// MarshalJSON omits an unknown upper bound.
func (b Bounds) MarshalJSON() ([]byte, error) {
	out := map[string]float64{"atLeast": b.AtLeast}
	if !math.IsInf(b.AtMost, 1) {
		out["atMost"] = b.AtMost
	}
	return json.Marshal(out)
}

// orderStatistic returns the order statistic of a rank, from 1.
func orderStatistic(all []Bounds, place int) Bounds {
	low, high := make([]float64, len(all)), make([]float64, len(all))
	for i, b := range all {
		low[i], high[i] = b.AtLeast, b.AtMost
	}
	slices.Sort(low)
	slices.Sort(high)
	return Bounds{low[place-1], high[place-1]}
}

// median returns the lower median.
func median(all []Bounds) Bounds { return orderStatistic(all, (len(all)+1)/2) }

// interval returns a confidence interval of the median for independent draws of any law, with a confidence of
// at least 95 %. Its ends are order statistics: see [place]. It returns false for too few draws.
func interval(draws []Bounds) (low, high Bounds, ok bool) {
	k := place(len(draws))
	if k == 0 {
		return low, high, false
	}
	return orderStatistic(draws, k), orderStatistic(draws, len(draws)+1-k), true
}

// place returns the largest k such that the median is below the k-th smallest of n draws with probability at
// most 2.5 %. The number of draws below the median is binomial with probability 1/2. The result is 0 for
// fewer than six draws.
func place(n int) int {
	const tail = 0.025
	term := math.Pow(0.5, float64(n)) // probability of exactly k draws below the median
	sum := term
	k := 0
	for ; sum <= tail; k++ {
		term *= float64(n-k) / float64(k+1)
		sum += term
	}
	return k
}

// geometric returns the geometric mean.
func geometric(all []Bounds) Bounds {
	var low, high float64
	for _, b := range all {
		low += math.Log(b.AtLeast)
		high += math.Log(b.AtMost)
	}
	n := float64(len(all))
	return Bounds{math.Exp(low / n), math.Exp(high / n)}
}
