package clocks

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"contend/model"
)

// Of two different stamps, exactly one is before the other.
func TestStamps(t *testing.T) {
	for _, c := range []struct {
		a, b   Stamp
		before bool
	}{
		{Stamp{1, 2}, Stamp{2, 1}, true},
		{Stamp{2, 1}, Stamp{1, 2}, false},
		{Stamp{1, 1}, Stamp{1, 2}, true},
		{Stamp{1, 2}, Stamp{1, 1}, false},
		{Stamp{1, 1}, Stamp{1, 1}, false},
	} {
		if got := c.a.Before(c.b); got != c.before {
			t.Errorf("%v before %v: %v", c.a, c.b, got)
		}
	}
}

// Clocks of random runs order events by happened-before: Lamport's clocks in one direction, vector clocks in both.
func TestHappenedBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type event struct {
			lamport Lamport
			vector  Vector
			past    map[int]bool // the events that happened before, and itself
		}
		var events []event
		last := map[int]int{} // the last event of each process
		for i := range rapid.IntRange(2, 12).Draw(t, "events") {
			at := rapid.IntRange(0, 2).Draw(t, "process")
			e := event{past: map[int]bool{i: true}}
			join := func(k int) {
				e.lamport, e.vector = e.lamport.Merge(events[k].lamport), e.vector.Merge(events[k].vector)
				maps.Copy(e.past, events[k].past)
			}
			if k, known := last[at]; known {
				join(k)
			}
			if i > 0 && rapid.Bool().Draw(t, "receives") {
				join(rapid.IntRange(0, i-1).Draw(t, "message"))
			}
			e.lamport, e.vector = e.lamport.Tick(), e.vector.Tick(model.NodeID(at))
			events, last[at] = append(events, e), i
		}
		for i, a := range events {
			for k, b := range events {
				before := i != k && b.past[i]
				if before && a.lamport >= b.lamport {
					t.Errorf("event %d happened before %d, but its time is %d, not less than %d", i, k, a.lamport, b.lamport)
				}
				if got := a.vector.Before(b.vector); got != before {
					t.Errorf("event %d happened before %d: %v, but the vectors %v and %v say %v", i, k, before, a.vector, b.vector, got)
				}
				if got := a.vector.Concurrent(b.vector); got != (i != k && !before && !a.past[k]) {
					t.Errorf("events %d and %d: the vectors %v and %v say concurrent %v", i, k, a.vector, b.vector, got)
				}
			}
		}
	})
}
