package step

import (
	"fmt"

	"contend/checker/search/component"
	"contend/model"
	"contend/model/guard"
	"contend/model/rules"
	"contend/model/value"
)

// Some monitors keep what a whole run has shown, so that hardly any of their states is ever met again, and
// remembering what they make of an observation is of no use. In a walk such a monitor is live: an object that
// sees the run as it goes. It has to be passive, which means that it keeps no time; that it has no goal; and
// that it keeps no value in two places and changes it in one, which the states of an interned one never share. Whoever
// takes walks compares, now and then, what live monitors come to with what interned ones do. That tells also of one
// that changes what it observes: live monitors, and the runs of a walk, share it.

// A liveMonitor is a monitor of a walk.
type liveMonitor struct {
	walk    *Walk
	number  int // among the monitors
	claim   model.Claim
	monitor model.Monitor // nil while it is interned
	misses  int           // observations of late that had not been met in its state
	rare    bool          // its states are hardly ever met again
	active  bool          // it keeps time, or has a goal: it stays interned

	running guard.Running
	given   any               // the value of the observation that it is told
	outcome component.Outcome // that it makes of it
}

// A monitor is live from then on if in its states more than one out of so many observations was new, of so many.
const (
	liveOneIn = 16
	liveOf    = 1024
)

// liveMonitors begins to watch which monitors should be live.
func (x *Walk) liveMonitors() {
	for slot := x.N; slot < len(x.Protos); slot++ {
		_, goal := x.Protos[slot].(model.Goal)
		x.live = append(x.live, liveMonitor{walk: x, number: slot - x.N, active: goal, claim: x.ClaimOf(int16(slot))})
	}
}

// makeLive makes the live monitors of a run.
func (x *Walk) makeLive() {
	of := x.told
	if of >= liveOf {
		x.told = 0
	}
	for m := range x.live {
		l := &x.live[m]
		if of >= liveOf {
			l.rare, l.misses = l.rare || l.misses*liveOneIn > of, 0
		}
		was := l.monitor != nil
		if l.monitor = nil; !x.Interned && !l.active && l.rare {
			l.monitor = x.Codec.Fresh(x.Protos[x.N+m]).(model.Monitor)
		} else if was {
			x.first = nil // the state of the monitor in it is not what it saw in the beginning
		}
	}
}

// Live reports whether a monitor of the run is live.
func (x *Walk) Live() bool {
	for m := range x.live {
		if x.live[m].monitor != nil {
			return true
		}
	}
	return false
}

// Active reports whether a monitor that is live keeps time: then the run has to be taken again, with that monitor
// interned.
func (x *Walk) Active() bool {
	for m := range x.live {
		if x.live[m].monitor != nil && x.live[m].active {
			return true
		}
	}
	return false
}

// MonitorState is the canonical state of a monitor.
func (x *Walk) MonitorState(m int) (state string) {
	if live := x.live[m].monitor; live != nil {
		return string(x.Codec.Node(live, nil))
	}
	x.Ask(func() { state = x.Locals.Items[x.V[x.MonitorAt+m]].Bytes })
	return state
}

// Monitors is how many monitors there are.
func (x *Walk) Monitors() int { return len(x.live) }

// observation is an observation, decoded once. It is not to be changed.
func (x *Walk) observation(seen uint32) *model.Observation {
	for int(seen) >= len(x.decoded) {
		x.decoded = append(x.decoded, nil)
	}
	if x.decoded[seen] == nil {
		x.Ask(func() {
			o := x.Observation(x.Store.Seen.Items[seen])
			x.decoded[seen] = &o
		})
	}
	return x.decoded[seen]
}

// observes tells a live monitor, and returns what it makes of it.
func (l *liveMonitor) observes(seen uint32) *component.Outcome {
	o := *l.walk.observation(seen)
	l.outcome = component.Outcome{Cut: -1}
	l.running.Who, l.given = l, o.Value
	l.outcome.Failed = l.walk.Cell.Call(&l.running, func() { l.monitor.Observe(l.walk.Sys.Drift.Watch(l), o) })
	return &l.outcome
}

// Describe names the handler that runs.
func (l *liveMonitor) Describe() string {
	return value.Describe("Observe", "claim "+l.claim.Name, l.given, "", nil, l.walk.Sys.Name)
}

// keepsTime notes that the monitor cannot be live.
func (l *liveMonitor) keepsTime() { l.active = true }

// Hold implements [model.Watch].
func (l *liveMonitor) Hold(any, model.Bound) { l.keepsTime() }

// Held implements [model.Watch].
func (l *liveMonitor) Held(any) bool {
	l.keepsTime()
	return false
}

// After implements [model.Watch].
func (l *liveMonitor) After(any, model.Window) { l.keepsTime() }

// Cancel implements [model.Watch].
func (l *liveMonitor) Cancel(any) { l.keepsTime() }

// Violate implements [model.Watch].
func (l *liveMonitor) Violate(format string, args ...any) {
	l.claim.MustNotBeGoal()
	l.outcome.Violation = model.Printable(fmt.Sprintf(format, args...))
}

// Witness implements [model.Watch].
func (l *liveMonitor) Witness() { l.outcome.Witness = true }

// Measure implements [model.Watch].
func (l *liveMonitor) Measure(n int) {
	rules.MustMeasure("claim "+l.claim.Name, n, l.outcome.Measured != 0)
	l.outcome.Measured, l.outcome.Witness = int32(n)+1, true
}
