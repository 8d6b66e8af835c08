// Package zone computes with sets of real-valued times: difference-bound matrices over the remaining times of
// pending events, as in the state classes of time Petri nets (Berthomieu and Menasche 1983; Berthomieu and
// Diaz 1991).
package zone

import (
	"fmt"
	"math"

	"contend/model"
)

// A Bound is an upper bound on a difference of two times, in ticks. ≤ c is represented by 2c+1, < c by 2c, so
// that the tighter bound is smaller.
type Bound int32

// None is the absence of a bound.
const None Bound = math.MaxInt32

// Zero is the bound ≤ 0.
const Zero Bound = 1

// MaxTicks is the largest finite bound of a window, in ticks. Sums of bounds do not overflow.
const MaxTicks model.Ticks = 1 << 28

// AtMost returns the bound ≤ c.
func AtMost(c model.Ticks) Bound { return Bound(2*c + 1) }

// Less returns the bound < c.
func Less(c model.Ticks) Bound { return Bound(2 * c) }

// Upper returns the end of a window as a bound on the remaining time.
func Upper(b model.Bound) Bound {
	switch {
	case b.At == model.Forever:
		return None
	case b.Open:
		return Less(b.At)
	}
	return AtMost(b.At)
}

// Lower returns the beginning of a window as a bound on the negated remaining time.
func Lower(b model.Bound) Bound {
	if b.Open {
		return Less(-b.At)
	}
	return AtMost(-b.At)
}

// plus returns the sum of two bounds. It is strict if either is.
func (b Bound) plus(c Bound) Bound {
	if b == None || c == None {
		return None
	}
	return b + c - (b|c)&1
}

// not returns the complement of b, as a bound on the negated difference.
func (b Bound) not() Bound { return 1 - b }

func (b Bound) String() string {
	switch {
	case b == None:
		return "∞"
	case b&1 == 0:
		return fmt.Sprintf("<%d", b>>1)
	}
	return fmt.Sprintf("≤%d", b>>1)
}
