package simulate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/model"
)

// A Law is a probability law of instants within windows that the model leaves to the adversary, such as
// message delays. Backoffs and other windows marked as coins are uniform under every law.
type Law string

// laws: uniform on the window; its end, so that each message takes δ; its beginning, so that messages take no
// time.
const (
	Uniform Law = "uniform"
	Slowest Law = "slowest"
	Fastest Law = "fastest"
)

// laws lists the laws.
var laws = []Law{Uniform, Slowest, Fastest}

// ParseLaw returns the law of a name, or an error.
func ParseLaw(name string) (Law, error) {
	if !slices.Contains(laws, Law(name)) {
		return "", fmt.Errorf("delays is %q, but must be uniform, slowest or fastest", name)
	}
	return Law(name), nil
}

// draw returns the time from an event's creation to the event. An unbounded window ends at its beginning.
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

// earliest returns the beginning of a window.
func earliest(w model.Window) Time {
	if w.Lo.Open {
		return Time(w.Lo.At)*Parts + 1
	}
	return Time(w.Lo.At) * Parts
}

// latest returns the end of a window, or its beginning if it is unbounded.
func latest(w model.Window) Time {
	switch {
	case w.Hi.At == model.Forever:
		return earliest(w)
	case w.Hi.Open:
		return Time(w.Hi.At)*Parts - 1
	}
	return Time(w.Hi.At) * Parts
}
