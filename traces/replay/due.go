package replay

import (
	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// A Due is the window in which a pending event may happen, in the world's time.
type Due struct {
	Lo, Hi         world.Time
	LoOpen, HiOpen bool
	Endless        bool // no latest instant; Hi and HiOpen are not set
}

// DueOf returns the window of an event. A tick has the given number of parts.
func DueOf(e *world.Event, parts int64) Due {
	d := Due{Lo: e.Born + world.Time(int64(e.Window.Lo.At)*parts), LoOpen: e.Window.Lo.Open, Endless: e.Window.Hi.At == model.Forever}
	if !d.Endless {
		d.Hi, d.HiOpen = e.Born+world.Time(int64(e.Window.Hi.At)*parts), e.Window.Hi.Open
	}
	return d
}

// Past reports whether the instant is after the window.
func (d Due) Past(instant world.Time) bool {
	return !d.Endless && (instant > d.Hi || instant == d.Hi && d.HiOpen)
}

// String formats the window in ticks.
func (d Due) String(parts int64) string {
	left, right := "[", "]"
	if d.LoOpen {
		left = "("
	}
	if d.Endless {
		return left + traces.Ticks(d.Lo, parts) + ", ∞)"
	}
	if d.HiOpen {
		right = ")"
	}
	return left + traces.Ticks(d.Lo, parts) + ", " + traces.Ticks(d.Hi, parts) + right
}
