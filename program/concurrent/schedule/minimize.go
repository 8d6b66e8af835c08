package schedule

import "slices"

// Minimize makes a failing schedule smaller: fewer preemptions, then fewer other deviations, then fewer choices. fails takes a
// schedule and returns its run if that fails in the same way, else nil. It is called at most so many times.
func Minimize(r *Run, most int, fails func(Scheduler) *Run) *Run {
	m := &minimizing{best: r, left: most, fails: fails}
	for chunk := max(len(r.Deviations())/2, 1); ; chunk /= 2 {
		for m.without(chunk) && chunk > 0 {
		}
		if chunk <= 1 {
			return m.best
		}
	}
}

type minimizing struct {
	best  *Run
	left  int
	fails func(Scheduler) *Run
}

// without leaves out chunks of deviations of a size, from the last to the first. It reports whether that was of use.
func (m *minimizing) without(chunk int) (some bool) {
	for from := len(m.best.Deviations()) - chunk; from > -chunk && m.left > 0; from -= chunk {
		all := m.best.Deviations()
		from = min(from, len(all)-1)
		rest := slices.Delete(slices.Clone(all), max(from, 0), min(from+chunk, len(all)))
		if len(rest) == len(all) {
			continue
		}
		m.left--
		if r := m.fails(Guided(rest)); r != nil && smaller(r, m.best) {
			m.best, some = r, true
		}
	}
	return some
}

// smaller reports whether a run has fewer preemptions than another, or as many and fewer deviations, or as many and fewer choices.
func smaller(a, b *Run) bool {
	x, y := a.Deviations(), b.Deviations()
	switch {
	case a.Preemptions != b.Preemptions:
		return a.Preemptions < b.Preemptions
	case len(x) != len(y):
		return len(x) < len(y)
	}
	return len(a.Choices) < len(b.Choices)
}
