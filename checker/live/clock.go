package live

import (
	"math"
	"math/rand/v2"
	"time"

	"contend/model"
	"contend/model/world"
)

// A clock shows the time of a run, in nanoseconds. Processes read the machine's time once, and count from there, so a
// correction of the machine's time does not move a clock.
type clock struct {
	began time.Time // with a monotonic reading
	since int64     // the time of the run then
}

// newClock returns the clock of a run that starts at a Unix time in nanoseconds.
func newClock(start int64) clock {
	now := time.Now()
	return clock{now, now.UnixNano() - start}
}

func (c clock) now() int64 { return c.since + int64(time.Since(c.began)) }

// A pace draws the instants of events.
type pace struct {
	tick int64 // nanoseconds
	most int64 // an event without a latest instant happens within so many ticks
	rng  *rand.Rand
}

// within draws how long after its beginning an event of a window happens, in nanoseconds. A quarter of the events is at
// each end of the window, since errors are often there. Without an upper end, each order of magnitude is as likely.
// Share is the part of the window that is used, in (0, 1].
func (p *pace) within(w model.Window, share float64) int64 {
	lo := int64(w.Lo.At) * p.tick
	if w.Hi.At == model.Forever {
		return lo + int64(float64(p.tick)*math.Pow(float64(p.most), p.rng.Float64()))
	}
	hi := lo + int64(share*float64(int64(w.Hi.At)*p.tick-lo))
	if w.Lo.Open {
		lo++
	}
	if w.Hi.Open {
		hi--
	}
	hi = max(lo, hi)
	where := p.rng.IntN(4)
	switch {
	case w.Coin || where > 1:
		return lo + p.rng.Int64N(hi-lo+1)
	case where == 0:
		return lo
	}
	return hi
}

// ticks returns nanoseconds as ticks.
func ticks(ns, tick int64) float64 { return float64(ns) / float64(tick) }

// instant returns nanoseconds as a time of a world with a part for each.
func instant(ns int64) world.Time { return world.Time(ns) }
