package confirm

import (
	"errors"

	"contend/model"
	"contend/model/world"
)

// mostSettled is the maximum number of moves in settle: a monitor that sets its alarm again and again could
// stop time.
const mostSettled = 1000

// roomToSettle is the number of additional fractions of a tick: an alarm may have to ring between two
// instants.
const roomToSettle = 63

// settle delivers all messages in flight that the search absorbed. So a run without further events is
// quiescent. A message may have to wait for a monitor's alarm; then settle lets the alarm ring.
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

// soonest returns the earliest possible event among the wanted ones, and its instant; nil if there is none.
func (r *Run) soonest(wanted func(*world.Event) bool) (next *world.Event, at world.Time) {
	for _, e := range r.World.Pending() {
		if earliest, _, ok := r.World.Fires(e); ok && wanted(e) && (next == nil || earliest < at) {
			next, at = e, earliest
		}
	}
	return next, at
}

// unsettled reports whether an absorbed message is in flight.
func (r *Run) unsettled() bool {
	for _, e := range r.World.Pending() {
		if _, absorbed := r.Absorbed[e]; absorbed && !e.Optional {
			return true
		}
	}
	return false
}

// ring lets a monitor's alarm ring.
func (r *Run) ring(e *world.Event, at world.Time) error {
	rec, err := r.World.Step(world.Move{Kind: model.Expire, Event: e}, at, func(int, string) int { return 0 })
	if err == nil {
		r.Records = append(r.Records, rec)
	}
	return err
}
