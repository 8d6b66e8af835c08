package why

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
)

// An outcome is the result of a monitor after a list of observations.
type outcome struct {
	violation string        // the text of the first violation
	index     int           // the index of the observation that violated the claim; -1 if none did
	reached   bool          // the goal
	monitor   model.Monitor // in its final state
}

// rerun passes a list of observations to a new monitor of the claim, each at its own instant. It reports false
// if the monitor panics: monitors expect the observations of a run, and not any list.
func (s *scene) rerun(list []observation) (out outcome, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	codec := s.run.World.Codec
	m := codec.Fresh(s.claim.Monitor(s.run.World.System)).(model.Monitor)
	w := &watch{s: s, holds: map[string]hold{}, violated: -1}
	for i, o := range list {
		w.now, w.index = o, i
		m.Observe(s.run.World.System.Drift.Watch(w), o.Observation)
		m = codec.Fresh(m).(model.Monitor) // the world copies monitors too
	}
	goal, is := m.(model.Goal)
	return outcome{w.violation, w.violated, is && goal.Reached(), m}, true
}

// A watch is the environment of a monitor in rerun. Its holds last as long as in the run, and its alarms never
// fire.
type watch struct {
	s         *scene
	now       observation
	index     int
	holds     map[string]hold
	violation string
	violated  int
}

type hold struct {
	since  world.Time
	step   int
	length model.Bound
}

func (w *watch) key(key any) string { return string(w.s.run.World.Codec.Any(key, nil)) }

func (w *watch) Hold(key any, d model.Bound) {
	w.holds[w.key(key)] = hold{w.now.instant, w.now.step, d}
}

// Held uses the time of a timed run, and the answers of an untimed run. A hold that the run never queried
// lasts.
func (w *watch) Held(key any) bool {
	h, ok := w.holds[w.key(key)]
	switch {
	case !ok:
		return false
	case w.s.run.Trace.Timed():
		end := h.since + world.Time(int64(h.length.At)*w.s.run.Parts)
		return w.now.instant < end || w.now.instant == end && !h.length.Open
	}
	for step := h.step; step <= w.now.step; step++ {
		if r := w.s.record(step); r != nil && slices.ContainsFunc(r.Held, func(a world.HeldAnswer) bool { return a.Watch && a.Since == h.step && !a.Held }) {
			return false
		}
	}
	return true
}

func (w *watch) After(any, model.Window) {}
func (w *watch) Cancel(any)              {}
func (w *watch) Witness()                {}
func (w *watch) Measure(int)             {}

// Violate records the first violation.
func (w *watch) Violate(format string, args ...any) {
	if w.violated < 0 {
		w.violation, w.violated = fmt.Sprintf(format, args...), w.index
	}
}
