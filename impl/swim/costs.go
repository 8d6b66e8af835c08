package swim

import "contend/model"

// costed are the times from a crash to the first suspicion, and to the last confirmation.
var costed = []*model.Cost{
	elapsed("first detection", "from a crash until another member suspects it", func(e Entry, _ int) bool { return e.State == Suspected }),
	elapsed("last confirmation", "from a crash until all others have confirmed it", func(e Entry, left int) bool { return e.State == Failed && left == 0 }),
}

// elapsed returns the cost of a time that begins with a crash. The monitor calls ends after each changed entry, with
// the number of members that have not confirmed the crash. The time ends if ends returns true.
func elapsed(name, meaning string, ends func(e Entry, left int) bool) *model.Cost {
	c := &model.Cost{
		Name: name, Unit: "ticks", Meaning: "Whole ticks " + meaning + ".", Source: paper + "§4.3",
		Assumes: timely, Most: 200, Check: timed(2, 0, model.Faults{Crashes: 1}),
	}
	c.Meter = func(s *model.System) model.Monitor { return &stopwatch{cost: c, ends: ends, Left: s.Config.N - 1} }
	return c
}

// tick is the alarm of a stopwatch.
const tick = "tick"

type stopwatch struct {
	cost  *model.Cost
	ends  func(e Entry, left int) bool
	Left  int // the number of members that have not confirmed the crash
	Runs  bool
	Ticks int
}

func (s *stopwatch) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Crashed && !s.Runs {
		s.Runs = true
		w.After(tick, model.Exactly(1))
	}
	l, is := o.Value.(Listed)
	if !is || !s.Runs {
		return
	}
	if l.Entry.State == Failed {
		s.Left--
	}
	if s.ends(l.Entry, s.Left) {
		w.Measure(s.Ticks)
		w.Cancel(tick)
		s.Runs, s.Ticks = false, 0
	}
}

// Expire counts a tick.
func (s *stopwatch) Expire(w model.Watch, _ any) {
	s.Ticks = s.cost.Counted(s.Ticks)
	w.After(tick, model.Exactly(1))
}
