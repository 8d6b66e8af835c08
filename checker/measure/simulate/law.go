package simulate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/model"
)

// A Law says where in its window an event happens, where the model leaves it to the
// adversary: how long messages take, above all. Backoffs, and whatever else is marked
// as a coin, are uniform under every law.
type Law string

// The laws: uniform on the window; always its end, so that every message takes δ;
// always its beginning, so that messages take no time.
const (
	Uniform Law = "uniform"
	Slowest Law = "slowest"
	Fastest Law = "fastest"
)

// Laws lists the laws.
var Laws = []Law{Uniform, Slowest, Fastest}

// ParseLaw finds a law by name.
func ParseLaw(name string) (Law, error) {
	if !slices.Contains(Laws, Law(name)) {
		return "", fmt.Errorf("delays is %q, but must be uniform, slowest or fastest", name)
	}
	return Law(name), nil
}

// draw returns how long after its creation an event happens. A window without end is
// over at its beginning.
func (l Law) draw(chance *rand.Rand, w model.Window) Time {
	lo, hi := earliest(w), latest(w)
	switch {
	case w.Coin, l == Uniform:
		return lo + Time(chance.Int64N(int64(hi-lo)+1))
	case l == Slowest:
		return hi
	}
	return lo
}

// earliest is the first part of a tick in a window.
func earliest(w model.Window) Time {
	if w.Lo.Open {
		return Time(w.Lo.At)*Parts + 1
	}
	return Time(w.Lo.At) * Parts
}

// latest is the last one, or the first where there is none.
func latest(w model.Window) Time {
	switch {
	case w.Hi.At == model.Forever:
		return earliest(w)
	case w.Hi.Open:
		return Time(w.Hi.At)*Parts - 1
	}
	return Time(w.Hi.At) * Parts
}
