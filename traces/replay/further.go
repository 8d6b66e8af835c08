package replay

import (
	"contend/model/world"
)

// Further replays the run and continues it by at most the given number of steps, without moves of the
// environment. Each step is the event that may happen first; of several, the oldest. Each choice is 0. The run
// itself is unchanged. Ended reports that nothing more can happen without the environment.
func (r *Run) Further(most int) (on *Run, ended bool, err error) {
	on, _, err = replayed(r.protocol, r.Trace, r.claims, len(r.Trace.Steps), nil, nil)
	if err != nil {
		return nil, false, err
	}
	for range most {
		m, instant, found := on.first()
		if !found {
			return on, true, nil
		}
		rec, err := on.World.Step(m, instant, func(int, string) int { return 0 })
		if err != nil {
			return on, false, err
		}
		on.Records = append(on.Records, rec)
	}
	return on, false, nil
}

// first returns the event that may happen first, and its earliest instant. It reports false if there is none.
func (r *Run) first() (move world.Move, instant world.Time, found bool) {
	for _, m := range r.World.Moves() {
		if m.Kind.Adversarial() {
			continue
		}
		earliest, _, ok := r.World.Fires(m.Event)
		if ok && (!found || earliest < instant) {
			move, instant, found = m, earliest, true
		}
	}
	return move, instant, found
}
