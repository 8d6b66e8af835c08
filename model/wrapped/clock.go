package wrapped

import "contend/model"

// A Clock is the Env of a run that shows the time. Only whole programs read it, since their clocks show it. The
// handlers of a protocol read no clock.
type Clock interface {
	// Clock returns the time since the start of the run in parts of the system's tick, and the number of parts of
	// a tick, ≥ 1. It returns false if the run does not show the time.
	Clock() (now, parts int64, ok bool)
}

// Now returns the result of [Clock.Clock], and false for an Env that is no Clock.
func Now(env model.Env) (now, parts int64, ok bool) {
	if c, is := env.(Clock); is {
		return c.Clock()
	}
	return 0, 0, false
}

// A Drifting is the Env of a node whose clock drifts. Whole programs choose the rates of their clocks.
type Drifting interface {
	// Drift returns the bound on the drift.
	Drift() model.Drift
	// AfterReal sets an alarm that is due after n of the system's ticks exactly.
	AfterReal(key any, n model.Ticks)
}

// Drift returns the result of [Drifting.Drift], and no drift for an Env that is not Drifting.
func Drift(env model.Env) model.Drift {
	if d, is := env.(Drifting); is {
		return d.Drift()
	}
	return model.Drift{}
}

// AfterReal calls [Drifting.AfterReal]. Without drift it calls After.
func AfterReal(env model.Env, key any, n model.Ticks) {
	if d, is := env.(Drifting); is {
		d.AfterReal(key, n)
		return
	}
	env.After(key, model.Exactly(n))
}
