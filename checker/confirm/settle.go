package confirm

import (
	"errors"

	"contend/model"
	"contend/model/world"
)

// mostSettled bounds how many moves settle makes: a monitor whose alarm is set anew without
// end could keep time from going on.
const mostSettled = 1000

// roomToSettle is how many more parts a tick gets when a run is settled: an alarm may have to
// ring between two instants.
const roomToSettle = 63

// settle delivers all that is in flight only because the search absorbed it, so that
// a run which has stopped is seen to have stopped. A message may have to wait for the
// alarm of a monitor, which then rings.
func (r *Run) settle() error {
	for range mostSettled {
		e, at := r.soonest(func(e *world.Event) bool {
			_, absorbed := r.Absorbed[e]
			return absorbed && !(r.timed && e.Optional)
		})
		if e != nil {
			if err := r.discard(e, at); err != nil {
				return err
			}
			continue
		}
		if e, at = r.soonest(func(e *world.Event) bool { return e.Kind == model.Expire }); e == nil || !r.unsettled() {
			return nil
		}
		if err := r.ring(e, at); err != nil {
			return err
		}
	}
	return errors.New("the run stops, but alarms of monitors go on and on before a message that does nothing")
}

// soonest returns, of the pending events that are wanted, one that may fire next and at the
// earliest, and when; nil when there is none.
func (r *Run) soonest(wanted func(*world.Event) bool) (next *world.Event, at world.Time) {
	for _, e := range r.World.Pending() {
		if earliest, _, ok := r.World.Fires(e); ok && wanted(e) && (next == nil || earliest < at) {
			next, at = e, earliest
		}
	}
	return next, at
}

// unsettled reports whether a message is in flight only because the search absorbed it.
func (r *Run) unsettled() bool {
	for _, e := range r.World.Pending() {
		if _, absorbed := r.Absorbed[e]; absorbed && !e.Optional {
			return true
		}
	}
	return false
}

// ring lets an alarm of a monitor fire after the way.
func (r *Run) ring(e *world.Event, at world.Time) error {
	rec, err := r.World.Step(world.Move{Kind: model.Expire, Event: e}, at, func(int, string) int { return 0 })
	if err == nil {
		r.Records = append(r.Records, rec)
	}
	return err
}
