package model

// A Drift is the bound on the drift of the nodes' clocks. Their rates are within 1 ± Thousandths/1000 of real
// time, and may change at any time. A duration that a node measures as d takes between d/(1+ρ) and d/(1−ρ) of
// real time. The paper has ρ = 0: "the local clock of each correct process ticks at the same rate as real time"
// (Chockler–Malkhi–Reiter §3).
//
// Under drift, time is counted in finer ticks, [Drift.Ticks] for each tick of the configuration, so that all
// bounds are whole. Messages, applications and monitors use real time. Overlapping timers of one node drift
// independently. That allows more runs than one clock. A whole program has one clock in sampled runs with time.
type Drift struct{ Thousandths int }

// fraction returns ρ in lowest terms.
func (d Drift) fraction() (p, q Ticks) {
	p, q = Ticks(d.Thousandths), 1000
	a, b := p, q
	for b != 0 {
		a, b = b, a%b
	}
	return p / a, q / a
}

// Ticks returns the number of the system's ticks in one tick of the configuration: q²−p² for ρ = p/q, and 1
// without drift.
func (d Drift) Ticks() Ticks {
	if d.Thousandths == 0 {
		return 1
	}
	p, q := d.fraction()
	return q*q - p*p
}

// real converts a bound of real time.
func (d Drift) real(b Bound) Bound { return b.times(d.Ticks()) }

// soonest and latest return the earliest and the latest real time of a bound that a node measures.
func (d Drift) soonest(b Bound) Bound { return b.times(d.Fast()) }

func (d Drift) latest(b Bound) Bound { return b.times(d.Slow()) }

// Fast returns the number of the system's ticks in one tick of the fastest clock.
func (d Drift) Fast() Ticks {
	if d.Thousandths == 0 {
		return 1
	}
	p, q := d.fraction()
	return q * (q - p)
}

// Slow returns the number of the system's ticks in one tick of the slowest clock.
func (d Drift) Slow() Ticks {
	if d.Thousandths == 0 {
		return 1
	}
	p, q := d.fraction()
	return q * (q + p)
}

func (b Bound) times(k Ticks) Bound {
	if b.At != Forever {
		b.At *= k
	}
	return b
}

func (d Drift) realWindow(w Window) Window {
	w.Lo, w.Hi = d.real(w.Lo), d.real(w.Hi)
	return w
}

// drift sets the drift of a system.
func (s *System) drift(d Drift) {
	s.Drift = d
	network := s.Network
	s.Network.Delay = d.realWindow(network.Delay)
	if network.Delays != nil {
		s.Network.Delays = func(from, to NodeID) Window { return d.realWindow(network.Delays(from, to)) }
	}
	if network.Messages != nil {
		s.Network.Messages = func(from, to NodeID, m any) Window { return d.realWindow(network.Messages(from, to, m)) }
	}
	s.Returned = d.realWindow(s.Returned)
	for i := range s.Nodes {
		script := make([]Op, len(s.Nodes[i].Script))
		for k, op := range s.Nodes[i].Script {
			op.After, op.Stay = d.realWindow(op.After), d.realWindow(op.Stay)
			script[k] = op
		}
		s.Nodes[i].Script = script
	}
	s.Types = append(s.Types, Soonest{}, Latest{})
}

// Soonest and Latest are the keys of the two countdowns of a hold under drift. The hold lasts until the first
// is over, and is over when the second is. In between the adversary decides.
type (
	Soonest struct{ Hold any }
	Latest  struct{ Hold any }
)

// Env returns the environment of a handler on a clock that drifts.
func (d Drift) Env(e Env) Env {
	if d.Thousandths == 0 {
		return e
	}
	return driftingEnv{e, d}
}

type driftingEnv struct {
	Env
	d Drift
}

func (e driftingEnv) After(key any, w Window) {
	w.Lo, w.Hi = e.d.soonest(w.Lo), e.d.latest(w.Hi)
	e.Env.After(key, w)
}

// Drift implements [contend/model/wrapped.Drifting].
func (e driftingEnv) Drift() Drift { return e.d }

// AfterReal implements [contend/model/wrapped.Drifting].
func (e driftingEnv) AfterReal(key any, n Ticks) { e.Env.After(key, Exactly(n)) }

// Clock implements [contend/model/wrapped.Clock].
func (e driftingEnv) Clock() (now, parts int64, ok bool) {
	if c, is := e.Env.(interface {
		Clock() (now, parts int64, ok bool)
	}); is {
		return c.Clock()
	}
	return 0, 0, false
}

func (e driftingEnv) Hold(key any, length Bound) {
	e.Env.Hold(Soonest{key}, e.d.soonest(length))
	e.Env.Hold(Latest{key}, e.d.latest(length))
}

func (e driftingEnv) Held(key any) bool {
	if e.Env.Held(Soonest{key}) {
		return true
	}
	if !e.Env.Held(Latest{key}) {
		return false
	}
	if e.Env.Choose(2) == 0 {
		return true
	}
	e.Env.Hold(Latest{key}, Below(0)) // a hold that is over stays over
	return false
}

// Watch returns the environment of a monitor. It uses real time in the system's ticks.
func (d Drift) Watch(w Watch) Watch {
	if d.Thousandths == 0 {
		return w
	}
	return scaledWatch{w, d}
}

type scaledWatch struct {
	Watch
	d Drift
}

func (w scaledWatch) Hold(key any, length Bound) { w.Watch.Hold(key, w.d.real(length)) }

func (w scaledWatch) After(key any, window Window) { w.Watch.After(key, w.d.realWindow(window)) }
