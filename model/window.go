package model

import (
	"fmt"
	"math"
)

// Ticks measure time and are whole; real times lie between them.
type Ticks int64

// Forever is a bound that is never reached.
const Forever Ticks = math.MaxInt64

// A Bound is one end of a window, or the length of a hold. An open bound excludes
// its own instant.
type Bound struct {
	At   Ticks
	Open bool
}

// Through is the closed bound d: the instant d belongs to it.
func Through(d Ticks) Bound { return Bound{At: d} }

// Below is the open bound d: the instant d does not belong to it.
func Below(d Ticks) Bound { return Bound{At: d, Open: true} }

// A Window says when a pending event may fire, in ticks after it was created:
// 0 ≤ Lo ≤ Hi. The zero Window is the instant of creation.
type Window struct {
	Lo, Hi Bound
	// Coin marks a window whose instant is drawn uniformly at random rather than
	// picked by the adversary. Safety claims do not tell them apart.
	Coin bool
}

// Exactly is the window [d, d]: a timeout.
func Exactly(d Ticks) Window { return Window{Lo: Through(d), Hi: Through(d)} }

// Between is the closed window [lo, hi]; the adversary picks the instant.
func Between(lo, hi Ticks) Window { return Window{Lo: Through(lo), Hi: Through(hi)} }

// Uniform is the closed window [lo, hi]; the instant is drawn uniformly at random.
func Uniform(lo, hi Ticks) Window { return Window{Lo: Through(lo), Hi: Through(hi), Coin: true} }

// By is the window [0, d]: delivery on a synchronous network.
func By(d Ticks) Window { return Between(0, d) }

// Anytime is the window [0, ∞): delivery on an asynchronous network.
func Anytime() Window { return Window{Hi: Bound{At: Forever, Open: true}} }

// Validate says in a sentence what is wrong with a window, or nil.
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

// MaxTicks is the largest finite bound a model may use, so that sums of bounds
// over a run cannot overflow.
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
