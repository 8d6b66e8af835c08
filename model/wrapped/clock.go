package wrapped

import "contend/model"

// A Clock is the Env of a run that shows the time. Only whole programs read it, since their clocks show it. The
// handlers of a protocol read no clock.
type Clock interface {
	// Clock returns the time since the start of the run in parts of a tick, and the number of parts of a tick, ≥
	// 1. It returns false if the run does not show the time.
	Clock() (now, parts int64, ok bool)
}

// Now returns the result of [Clock.Clock], and false for an Env that is no Clock.
func Now(env model.Env) (now, parts int64, ok bool) {
	if c, is := env.(Clock); is {
		return c.Clock()
	}
	return 0, 0, false
}
