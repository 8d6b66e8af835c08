package experiment

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Bounds enclose a number, which may not be known: how many schedules it takes to find a bug is only known to be more than a
// cap, where the sampling ended there (it is right-censored). A number that is known has equal bounds.
type Bounds struct {
	AtLeast float64
	AtMost  float64 // +Inf if nothing is known
}

// exactly is a number that is known; above is one that is only known to be a larger whole number.
func exactly(n float64) Bounds { return Bounds{n, n} }
func above(n float64) Bounds   { return Bounds{n + 1, math.Inf(1)} }

// Known reports whether the number is.
func (b Bounds) Known() bool { return b.AtLeast == b.AtMost }

// String writes a whole number: "12", "> 1000", or "12 to 40".
func (b Bounds) String() string {
	switch {
	case b.Known():
		return fmt.Sprintf("%.0f", b.AtLeast)
	case math.IsInf(b.AtMost, 1):
		return fmt.Sprintf("> %.0f", b.AtLeast-1)
	}
	return fmt.Sprintf("%.0f to %.0f", b.AtLeast, b.AtMost)
}

// Factor writes a number that need not be whole: "1.3", "≥ 1.3", or "1.3 to 4.0".
func (b Bounds) Factor() string {
	switch {
	case b.Known():
		return fmt.Sprintf("%.1f", b.AtLeast)
	case math.IsInf(b.AtMost, 1):
		return fmt.Sprintf("≥ %.1f", b.AtLeast)
	}
	return fmt.Sprintf("%.1f to %.1f", b.AtLeast, b.AtMost)
}

// MarshalJSON leaves out an upper bound that is not known.
func (b Bounds) MarshalJSON() ([]byte, error) {
	out := map[string]float64{"atLeast": b.AtLeast}
	if !math.IsInf(b.AtMost, 1) {
		out["atMost"] = b.AtMost
	}
	return json.Marshal(out)
}

// ordered returns the number at a place, from 1, when the numbers are in ascending order.
func ordered(all []Bounds, place int) Bounds {
	low, high := make([]float64, len(all)), make([]float64, len(all))
	for i, b := range all {
		low[i], high[i] = b.AtLeast, b.AtMost
	}
	slices.Sort(low)
	slices.Sort(high)
	return Bounds{low[place-1], high[place-1]}
}

// median is the smallest of the numbers that at least half of them do not exceed.
func median(all []Bounds) Bounds { return ordered(all, (len(all)+1)/2) }

// interval is a confidence interval of the median of whatever law n independent draws come from, with a confidence of at least 95 %: the draws
// at two places, of which [place] gives the lower one. Too few draws have none.
func interval(draws []Bounds) (low, high Bounds, ok bool) {
	k := place(len(draws))
	if k == 0 {
		return low, high, false
	}
	return ordered(draws, k), ordered(draws, len(draws)+1-k), true
}

// place is the largest k such that the median lies below the k-th smallest of n draws with a probability of at most 2.5 %. Each draw is below
// the median with probability 1/2, so the number of those that are is binomial. It is 0 for fewer than six draws.
func place(n int) int {
	const tail = 0.025
	term := math.Pow(0.5, float64(n)) // the probability that exactly k draws are below the median
	sum := term
	k := 0
	for ; sum <= tail; k++ {
		term *= float64(n-k) / float64(k+1)
		sum += term
	}
	return k
}

// geometric is the geometric mean.
func geometric(all []Bounds) Bounds {
	var low, high float64
	for _, b := range all {
		low += math.Log(b.AtLeast)
		high += math.Log(b.AtMost)
	}
	n := float64(len(all))
	return Bounds{math.Exp(low / n), math.Exp(high / n)}
}
