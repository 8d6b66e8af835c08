package why

import (
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
)

// An outcome is what a monitor comes to after a list of observations.
type outcome struct {
	broken  string        // how it found the claim broken first
	at      int           // by which observation of the list; -1 where it did not
	reached bool          // its goal
	monitor model.Monitor // as it is then
}

// again shows a new monitor of the claim a list of observations, each at its own instant. ok is
// false where the monitor cannot take it: it was made for what nodes do, not for any list.
func (s *scene) again(list []observation) (out outcome, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	codec := s.run.World.Codec
	m := codec.Fresh(s.claim.Monitor(s.run.World.System)).(model.Monitor)
	w := &watch{s: s, holds: map[string]hold{}, at: -1}
	for i, o := range list {
		w.now, w.place = o, i
		m.Observe(s.run.World.System.Drift.Watch(w), o.Observation)
		m = codec.Fresh(m).(model.Monitor) // as in a run
	}
	goal, is := m.(model.Goal)
	return outcome{w.broken, w.at, is && goal.Reached(), m}, true
}

// watch is what a monitor sees that is asked again. It has holds, which last as they did in the run; its
// alarms never fire.
type watch struct {
	s      *scene
	now    observation
	place  int
	holds  map[string]hold
	broken string
	at     int
}

type hold struct {
	since  world.Time
	step   int
	length model.Bound
}

func (w *watch) key(key any) string { return string(w.s.run.World.Codec.Any(key, nil)) }

func (w *watch) Hold(key any, d model.Bound) {
	w.holds[w.key(key)] = hold{w.now.at, w.now.step, d}
}

// Held answers by the clock, and in a run without one as the run did; what the run never asked lasts.
func (w *watch) Held(key any) bool {
	h, is := w.holds[w.key(key)]
	switch {
	case !is:
		return false
	case w.s.run.Trace.Timed():
		end := h.since + world.Time(int64(h.length.At)*w.s.run.Parts)
		return w.now.at < end || w.now.at == end && !h.length.Open
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

// Violate keeps the first violation.
func (w *watch) Violate(format string, args ...any) {
	if w.at < 0 {
		w.broken, w.at = fmt.Sprintf(format, args...), w.place
	}
}
