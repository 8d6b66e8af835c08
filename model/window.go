package model

import (
	"fmt"
	"math"
)

// Ticks are a time in ticks. Real times are between ticks too.
type Ticks int64

// Forever is an infinite bound.
const Forever Ticks = math.MaxInt64

// A Bound is an end of a window, or the length of a hold. An open bound excludes its instant.
type Bound struct {
	At   Ticks
	Open bool
}

// Through returns the closed bound d. It includes the instant d.
func Through(d Ticks) Bound { return Bound{At: d} }

// Below returns the open bound d. It excludes the instant d.
func Below(d Ticks) Bound { return Bound{At: d, Open: true} }

// A Window is the time in which a pending event may fire, in ticks after its creation: 0 ≤ Lo ≤ Hi. The zero
// Window is the instant of creation.
type Window struct {
	Lo, Hi Bound
	// Coin reports that the instant is drawn uniformly at random, and not chosen by the adversary. For safety
	// claims that makes no difference.
	Coin bool
}

// Exactly returns the window [d, d]: a timeout.
func Exactly(d Ticks) Window { return Window{Lo: Through(d), Hi: Through(d)} }

// Between returns the closed window [lo, hi]; the adversary chooses the instant.
func Between(lo, hi Ticks) Window { return Window{Lo: Through(lo), Hi: Through(hi)} }

// Uniform returns the closed window [lo, hi]; the instant is drawn uniformly at random.
func Uniform(lo, hi Ticks) Window { return Window{Lo: Through(lo), Hi: Through(hi), Coin: true} }

// By returns the window [0, d]: delivery on a synchronous network.
func By(d Ticks) Window { return Between(0, d) }

// Anytime returns the window [0, ∞): delivery on an asynchronous network.
func Anytime() Window { return Window{Hi: Bound{At: Forever, Open: true}} }

// Validate returns an error if a bound is negative, too large or out of order, or if the window is empty.
func (w Window) Validate() error {
	switch {
	case w.Lo.At < 0:
		return fmt.Errorf("window %v: the lower bound is negative", w)
	case w.Hi.At < w.Lo.At:
		return fmt.Errorf("window %v: the upper bound is below the lower", w)
	case w.Hi.At == w.Lo.At && (w.Hi.Open || w.Lo.Open):
		return fmt.Errorf("window %v: it is empty", w)
	case w.Hi.At != Forever && w.Hi.At > MaxTicks, w.Lo.At > MaxTicks:
		return fmt.Errorf("window %v: a bound is above %d ticks", w, MaxTicks)
	}
	return nil
}

// MaxTicks is the largest finite bound, so that sums of bounds in a run do not overflow.
const MaxTicks Ticks = 1 << 30

func (w Window) String() string {
	left, right := "[", "]"
	if w.Lo.Open {
		left = "("
	}
	if w.Hi.Open {
		right = ")"
	}
	if w.Hi.At == Forever {
		return fmt.Sprintf("%s%d, ∞)", left, w.Lo.At)
	}
	return fmt.Sprintf("%s%d, %d%s", left, w.Lo.At, w.Hi.At, right)
}
