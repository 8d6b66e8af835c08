package measure

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// fitFrom is the smallest number of contenders in a fit. With fewer, servers cause the waits, not other
// clients.
const fitFrom = 4

// A Fit has three laws of growth, fitted to the points with t ≥ 4. The fits are least squares of relative
// errors, so that each t has the same weight.
type Fit struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"` // "fit"
	Series
	Quantity  string `json:"of"` // "amortised" or "last"
	From      int    `json:"from"`
	To        int    `json:"to"`
	Linear    Line   `json:"linear"`    // a·t + b
	LogLinear Line   `json:"logLinear"` // a·t·log₂t + b
	Power     Power  `json:"power"`     // c·t^p
	Best      string `json:"best"`      // law of the smallest error: linear, t log t or power
	// Tail is the exponent between the two largest t, Before and To.
	Tail   Estimate `json:"tail"`
	Before int      `json:"before"`
}

// Growth maps [Fit.Quantity] to a description.
var Growth = map[string]string{"amortised": "the mean", "last": "all returned"}

// A Line is a fitted a·x + b. Error is the root mean square of the relative errors.
type Line struct {
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	R2    float64 `json:"r2"`
	Error float64 `json:"error"`
}

// A Power is a fitted c·t^p, a line in logarithmic coordinates. The interval of P is the wider of two:
// Student's interval of the residuals, and the interval that follows from those of the points.
type Power struct {
	C     float64  `json:"c"`
	P     Estimate `json:"p"`
	R2    float64  `json:"r2"`
	Error float64  `json:"error"`
}

// fit fits the laws. It returns false for fewer than three points, and if a value is 0: then there is no
// relative error.
func fit(ts []float64, measured []Estimate) (f Fit, ok bool) {
	ys := make([]float64, len(ts))
	for i, e := range measured {
		ys[i] = e.Value
	}
	if len(ts) < 3 || slices.Min(ys) <= 0 {
		return f, false
	}
	f.From, f.To = int(ts[0]), int(ts[len(ts)-1])
	f.Linear = line(ts, ys, func(t float64) float64 { return t })
	f.LogLinear = line(ts, ys, func(t float64) float64 { return t * math.Log2(t) })
	f.Power = power(ts, ys, measured)
	n := len(ts)
	f.Before, f.Tail = int(ts[n-2]), tail(ts[n-2:], measured[n-2:])
	f.Best = "power"
	switch least := min(f.Linear.Error, f.LogLinear.Error, f.Power.Error); least {
	case f.Linear.Error:
		f.Best = "linear"
	case f.LogLinear.Error:
		f.Best = "t log t"
	}
	return f, true
}

func line(ts, ys []float64, x func(t float64) float64) Line {
	xs, weights := make([]float64, len(ts)), make([]float64, len(ts))
	for i, t := range ts {
		xs[i], weights[i] = x(t), 1/(ys[i]*ys[i])
	}
	b, a := stat.LinearRegression(xs, ys, weights, false)
	return Line{
		A: a, B: b, R2: explained(stat.RSquared(xs, ys, weights, b, a)),
		Error: relative(ys, func(i int) float64 { return a*xs[i] + b }),
	}
}

func power(ts, ys []float64, measured []Estimate) Power {
	xs, logs := make([]float64, len(ts)), make([]float64, len(ys))
	for i := range ts {
		xs[i], logs[i] = math.Log(ts[i]), math.Log(ys[i])
	}
	c, p := stat.LinearRegression(xs, logs, nil, false)
	var residual, spread, vague float64
	middle := stat.Mean(xs, nil)
	for i := range xs {
		residual += math.Pow(logs[i]-c-p*xs[i], 2)
		spread += math.Pow(xs[i]-middle, 2)
		vague += math.Pow((xs[i]-middle)*measured[i].Half()/ys[i], 2)
	}
	freedom := len(xs) - 2
	half := max(student(freedom)*math.Sqrt(residual/float64(freedom)/spread), math.Sqrt(vague)/spread)
	return Power{
		C: math.Exp(c), P: Estimate{p, p - half, p + half}, R2: explained(stat.RSquared(xs, logs, nil, c, p)),
		Error: relative(ys, func(i int) float64 { return math.Exp(c + p*xs[i]) }),
	}
}

// tail returns the exponent between two points. Its interval follows from the intervals of the points.
func tail(ts []float64, measured []Estimate) Estimate {
	apart := math.Log(ts[1] / ts[0])
	p := math.Log(measured[1].Value/measured[0].Value) / apart
	half := math.Hypot(measured[0].Half()/measured[0].Value, measured[1].Half()/measured[1].Value) / apart
	return Estimate{p, p - half, p + half}
}

// tail returns the exponent between two points of the line.
func (l Line) tail(t, u float64) float64 {
	return math.Log((l.A*u+l.B)/(l.A*t+l.B)) / math.Log(u/t)
}

// explained returns R², or 0 if the values are constant.
func explained(r2 float64) float64 {
	if math.IsNaN(r2) || math.IsInf(r2, 0) {
		return 0
	}
	return r2
}

// relative returns the root mean square of the relative errors.
func relative(ys []float64, at func(i int) float64) float64 {
	sum := 0.0
	for i, y := range ys {
		sum += math.Pow((at(i)-y)/y, 2)
	}
	return math.Sqrt(sum / float64(len(ys)))
}
