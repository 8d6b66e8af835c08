package replay

import (
	"contend/model/world"
)

// Further takes the run again, and goes on from its end as long as something can happen by itself:
// each time what may happen first, and of that what is pending longest, with the first answer to
// each choice; but for at most so many steps. The run itself stays as it is. Ended reports whether
// nothing more can happen by itself; then the environment can no longer be what is waited for.
func (r *Run) Further(most int) (on *Run, ended bool, err error) {
	on, _, err = replayed(r.protocol, r.Trace, r.claims, len(r.Trace.Steps), nil, nil)
	if err != nil {
		return nil, false, err
	}
	for range most {
		m, at, any := on.first()
		if !any {
			return on, true, nil
		}
		rec, err := on.World.Step(m, at, func(int, string) int { return 0 })
		if err != nil {
			return on, false, err
		}
		on.Records = append(on.Records, rec)
	}
	return on, false, nil
}

// first is the move that may happen first by itself, and when.
func (r *Run) first() (move world.Move, at world.Time, any bool) {
	for _, m := range r.World.Moves() {
		if m.Kind.Adversarial() {
			continue
		}
		earliest, _, ok := r.World.Fires(m.Event)
		if ok && (!any || earliest < at) {
			move, at, any = m, earliest, true
		}
	}
	return move, at, any
}
