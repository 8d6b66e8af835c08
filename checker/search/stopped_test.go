package search

import (
	"testing"
	"time"

	"contend/model"
)

// A search that a limit stops names it, is not complete, and leaves undecided what
// only the whole state space decides.
func TestLimitsAreNamed(t *testing.T) {
	stop := make(chan struct{})
	close(stop)
	later := func() time.Time { return time.Unix(2, 0) }
	for _, c := range []struct {
		name, limit string
		opt         Options
	}{
		{"states", "states: 10", Options{MaxStates: 10}},
		{"memory", "memory: 0 MiB", Options{MaxMemory: 1}},
		{"deadline", "timeout", Options{Deadline: time.Unix(1, 0), Now: later}},
		{"interrupt", "interrupted", Options{Interrupt: stop}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explore(t, counting(50), c.opt, never(1),
				reach(model.Sometimes, 1), reach(model.PossibleFromEverywhere, 1), reach(model.Eventually, 1))
			if r.Complete || r.Limit != c.limit || r.States > 11 {
				t.Errorf("complete %v, limit %q, %d states; want the limit %q", r.Complete, r.Limit, r.States, c.limit)
			}
			if len(r.Violated) > 0 || r.Undecided[2] != c.limit || r.Undecided[3] != c.limit {
				t.Errorf("violated %v, undecided %v", r.Violated, r.Undecided)
			}
		})
	}
}

// A deadline that has not come yet, and an interrupt that never does, stop nothing.
func TestLimitsThatAreNotReached(t *testing.T) {
	opt := Options{
		MaxStates: 1000, MaxMemory: 1 << 30, Interrupt: make(chan struct{}),
		Deadline: time.Unix(3, 0), Now: func() time.Time { return time.Unix(2, 0) },
	}
	r := explore(t, counting(50), opt, reach(model.Sometimes, 1))
	if !r.Complete || r.Limit != "" || !r.Reached[0] || r.size() != (size{52, 51, 51}) {
		t.Errorf("complete %v, limit %q, %+v", r.Complete, r.Limit, r.size())
	}
}
