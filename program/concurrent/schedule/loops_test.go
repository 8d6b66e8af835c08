package schedule

import (
	"math/rand/v2"
	"testing"

	"contend/program/overlay"
)

// counts is a scheduler that takes the usual options, and counts how often it is asked.
type counts struct{ asked int }

func (s *counts) Choose(*Choice) int { s.asked++; return 0 }

// A goroutine that is where it was before is asked about a few times, then goes on without being asked about, and is idle in the end. It is no more once
// another one does something new, or time goes on.
func TestIdle(t *testing.T) {
	for _, c := range []struct {
		name    string
		happens func(r *Run)
		idle    bool
	}{
		{"nothing", func(*Run) {}, true},
		{"another one is where it was", func(r *Run) { r.Point(overlay.AtomicLoad, 1, []int{2, 1}, 7, false) }, true},
		{"another one does something new", func(r *Run) { r.Point(overlay.AtomicLoad, 1, []int{2, 1}, 8, false) }, false},
		{"another one does something unknown", func(r *Run) { r.Point(overlay.AtomicLoad, 1, []int{2, 1}, 0, false) }, false},
		{"another one passes a point alone", func(r *Run) { r.Point(overlay.AtomicLoad, 1, []int{2}, 0, false) }, true},
		{"time goes on", func(r *Run) { r.Sleeps(Sleeping{Once: true}) }, false},
	} {
		s := &counts{}
		r := NewRun(s)
		r.Point(overlay.AtomicLoad, 1, []int{2, 1}, 7, false)
		before := s.asked
		for i := range 1 + Patience {
			if took := r.Point(overlay.AtomicLoad, 1, []int{1, 2}, 5, false); (took == 1) != (i == Patience) {
				t.Fatalf("%s: point %d: %d", c.name, i, took)
			}
		}
		if asked := s.asked - before; asked != again {
			t.Errorf("%s: asked %d times, want %d", c.name, asked, again)
		}
		c.happens(r)
		before = s.asked
		took := r.Pick([]int{1, 3})
		if c.idle && (took != 1 || s.asked > before || !r.Forced()) || !c.idle && (took != 0 || s.asked == before) {
			t.Errorf("%s: goroutine %d is picked, and the scheduler asked %d times", c.name, took, s.asked-before)
		}
	}
}

// Goroutines that all wait in loops have time go on, and are endless if that does not help.
func TestFruitless(t *testing.T) {
	for _, goroutines := range [][]int{{1}, {1, 2}} {
		r := NewRun(&counts{})
		times := 0
		for i := 0; !r.Endless; i++ {
			if i > 1_000_000 {
				t.Fatal("it goes on for ever")
			}
			if r.Point(overlay.AtomicLoad, 1, goroutines, 5, false) == len(goroutines) {
				if times++; !r.Forced() {
					t.Fatal("time goes on by choice")
				}
			}
			if len(goroutines) > 1 {
				goroutines[0], goroutines[1] = goroutines[1], goroutines[0]
			}
		}
		if times < mostFruitless*9/10 {
			t.Errorf("%d goroutines: time went on %d times", len(goroutines), times)
		}
	}
}

// A schedule that is drawn has time go on now and then.
func TestTimeIsDrawn(t *testing.T) {
	for _, s := range Samplers() {
		times := 0
		for seed := range uint64(200) {
			r := NewRun(s.New(rand.New(rand.NewPCG(seed, 5)), 10))
			if r.Point(overlay.AtomicLoad, 1, []int{0, 1}, 0, true) == 2 {
				times++
			}
		}
		if times == 0 || times > 100 {
			t.Errorf("%s: %d of 200 times", s.Name, times)
		}
	}
}

// All sleep again and again while something new happens each time: with periodic timers alone that ends before it does with others.
func TestTickingEnds(t *testing.T) {
	for _, c := range []struct {
		once bool
		ends int
	}{{false, mostTicking + 1}, {true, mostSleeps + 1}} {
		r := NewRun(&counts{})
		times := 1
		for state := uint32(1); r.Sleeps(Sleeping{Once: c.once}) != Ends; state++ {
			r.Point(overlay.Lock, 1, []int{1}, state, false)
			times++
		}
		if times != c.ends {
			t.Errorf("timers that are due once: %v: it ends after %d times, want %d", c.once, times, c.ends)
		}
	}
}

// Goroutines that do something new all the time have a timer fire in the end, which is no preemption.
func TestTimeDoesNotStandStill(t *testing.T) {
	for _, timer := range []bool{true, false} {
		r := NewRun(&counts{})
		goroutines := []int{1, 2}
		var fired []int
		for i := range 3 * longStill {
			if r.Point(overlay.Send, 1, goroutines, 0, timer) == len(goroutines) {
				fired = append(fired, i)
			}
			goroutines[0], goroutines[1] = goroutines[1], goroutines[0]
		}
		want := 0
		if timer {
			want = 2
		}
		if len(fired) != want || r.Preemptions > 0 {
			t.Errorf("a timer is set: %v: time goes on at %v, with %d preemptions", timer, fired, r.Preemptions)
		}
	}
}

// In the end each goroutine gets its turn in a schedule that is drawn, although there are always new ones beside it.
func TestDrawnSchedulesAreFair(t *testing.T) {
	for _, s := range Samplers() {
		for seed := range uint64(50) {
			r := NewRun(s.New(rand.New(rand.NewPCG(seed, 5)), 10))
			for range 10 {
				r.Point(overlay.Send, 1, []int{1, 2}, 0, false) // it gets the lowest priority at one of these
			}
			ran := false
			for i := 1; i < 2*mostUnfair && !ran; i++ {
				ran = r.Pick([]int{i + 1, i + 2, 1}) == 2
			}
			if !ran {
				t.Errorf("%s, seed %d: a goroutine never gets its turn", s.Name, seed)
			}
		}
	}
}
