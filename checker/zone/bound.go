// Package zone computes with sets of real-valued times: difference-bound matrices
// over what is left until each pending event fires, as in the state classes of time
// Petri nets (Berthomieu and Menasche 1983; Berthomieu and Diaz 1991).
package zone

import (
	"fmt"
	"math"

	"contend/model"
)

// A Bound is an upper bound on a difference of two times, in ticks: ≤ c is 2c+1, < c is
// 2c, so that the tighter of two is the smaller.
type Bound int32

// None bounds nothing.
const None Bound = math.MaxInt32

// Zero is the bound ≤ 0.
const Zero Bound = 1

// MaxTicks is the largest finite bound of a window in a zone, in ticks, so that sums of
// bounds do not overflow.
const MaxTicks model.Ticks = 1 << 28

// AtMost is the bound ≤ c, Less the bound < c.
func AtMost(c model.Ticks) Bound { return Bound(2*c + 1) }

// Less is the bound < c.
func Less(c model.Ticks) Bound { return Bound(2 * c) }

// Upper is the end of a window as a bound on the time that is left.
func Upper(b model.Bound) Bound {
	switch {
	case b.At == model.Forever:
		return None
	case b.Open:
		return Less(b.At)
	}
	return AtMost(b.At)
}

// Lower is the beginning of a window as a bound on the negated time that is left.
func Lower(b model.Bound) Bound {
	if b.Open {
		return Less(-b.At)
	}
	return AtMost(-b.At)
}

// plus adds two bounds: the sum is strict if either is.
func (b Bound) plus(c Bound) Bound {
	if b == None || c == None {
		return None
	}
	return b + c - (b|c)&1
}

// not is the bound on the negated difference that holds just where b does not.
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
