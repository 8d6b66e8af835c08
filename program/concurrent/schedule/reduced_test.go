package schedule

import (
	"fmt"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/program/overlay"
)

// forgets is what a trace leaves out, which makes it wrong.
type forgets struct {
	objects    bool // what was done to the object before
	goroutines bool // what the goroutine did before
	writes     bool // that a write changes its object
	cases      bool // all channels of a select statement but the first
	taken      bool // which case was taken
	current    bool // which goroutine runs
	waited     bool // operations that are done again since they had to wait
	time       bool // that time goes on
	sleeps     bool // that a goroutine sleeps or yields
}

// trace names what has happened in a run of a toy program, as the hooks of package overlay do in the runtime: the sum of what each goroutine has done
// last, where an operation has the name of what its goroutine and its object were before.
type trace struct {
	forgets
	goroutines []uint64
	things     map[thing]uint64 // by which operation it was changed last
	waited     []bool
}

// thing is an object of a kind.
type thing struct{ kind, object int }

// timer stands for what wakes goroutines that sleep.
const timer = -1

// The queue of goroutines that sleep, and the clock.
var timers, clock = thing{kind: 10}, thing{kind: 11}

var hashes = maphash.MakeSeed()

func name(parts ...any) uint64 { return maphash.Comparable(hashes, fmt.Sprint(parts...)) }

func newTrace(n int, f *forgets) *trace {
	t := &trace{forgets: *f, things: map[thing]uint64{}, waited: make([]bool, n)}
	for g := range n {
		t.goroutines = append(t.goroutines, name("begins", g))
	}
	return t
}

// does notes an operation.
func (t *trace) does(g int, in instruction) {
	if t == nil {
		return
	}
	switch in.op {
	case overlay.Yield:
		if !t.sleeps {
			t.meets(g, in.op, thing{9, g}, false)
		}
	case overlay.Sleep:
		if !t.sleeps {
			t.meets(g, in.op, timers, false)
		}
	case overlay.Lock, overlay.TryLock, overlay.Unlock:
		t.meets(g, in.op, thing{forLock, in.object}, false)
	case overlay.Send, overlay.Receive, overlay.Close:
		t.meets(g, in.op, thing{forChannel, in.object}, false)
	case overlay.Select:
		for i, c := range in.cases {
			if i == 0 || !t.cases {
				t.meets(g, in.op, thing{forChannel, c}, false)
			}
		}
	case overlay.Done, overlay.Wait:
		t.meets(g, in.op, thing{forGroup, in.object}, false)
	case readsClock:
		t.meets(g, in.op, clock, true)
	case overlay.AtomicLoad, overlay.AtomicAdd, overlay.AtomicStore:
		t.meets(g, in.op, thing{8, in.object}, in.op == overlay.AtomicLoad)
	}
}

// meets notes an operation on a thing. A wrong trace forgets some of that.
func (t *trace) meets(g int, op overlay.Kind, at thing, reads bool) {
	if t.forgets.waited && t.waited[g] {
		t.waited[g] = false
		return
	}
	before, wrote := t.goroutines[g], t.things[at]
	if t.forgets.goroutines {
		before = uint64(g)
	}
	if t.objects {
		wrote = 0
	}
	t.goroutines[g] = name(before, op, wrote)
	if !reads && !t.writes {
		t.things[at] = t.goroutines[g]
	}
}

// takes notes which case was taken.
func (t *trace) takes(g, place int) {
	if t != nil && !t.taken {
		t.goroutines[g] = name(t.goroutines[g], "takes", place)
	}
}

// wakes notes that a goroutine can run again.
func (t *trace) wakes(g, by int) {
	if t == nil {
		return
	}
	t.waited[g] = true
	from := t.things[timers]
	if by != timer {
		from = t.goroutines[by]
	}
	if !t.forgets.waited {
		t.goroutines[g] = name(t.goroutines[g], "woken", from)
	}
}

// passes notes that time goes on.
func (t *trace) passes(now int) {
	if t != nil && !t.time {
		t.things[timers] = name(t.things[timers], now)
		t.things[clock] = t.things[timers]
	}
}

func (t *trace) sum() (sum uint64) {
	for _, is := range t.goroutines {
		sum += name(is)
	}
	return sum
}

// tells tells a run what has happened.
func (t *trace) tells(r *Run, s *state) {
	if t == nil {
		return
	}
	ready := slices.Sorted(slices.Values(s.Ready))
	current := s.Current
	if t.current {
		current, ready = 0, nil
	}
	r.Traced(name(t.sum(), t.things[clock], current, ready, len(s.Sleeping) > 0) | 1)
}

// The state of a choice depends on what has happened and on how often all slept, and is not known without a trace. Once a choice was not left to the scheduler no state is known, since
// how long a goroutine has gone round in a loop is not in the trace.
func TestStates(t *testing.T) {
	last := func(r *Run) uint64 {
		r.Traced(7)
		r.Pick([]int{1, 2})
		return r.Choices[len(r.Choices)-1].State
	}
	usual := last(NewRun(Guided(nil)))
	loops := func(r *Run, op overlay.Kind, goroutines ...int) {
		for range Patience + 2 {
			if op == overlay.Yield {
				r.Waits(op, goroutines, 5)
			} else {
				r.Point(op, 1, goroutines, 5, false)
			}
		}
	}
	for _, c := range []struct {
		name    string
		happens func(r *Run)
		is      string
	}{
		{"nothing", func(*Run) {}, "usual"},
		{"a point", func(r *Run) { r.Point(overlay.Lock, 1, []int{1, 2}, 0, false) }, "usual"},
		{"all sleep", func(r *Run) { r.Sleeps(Sleeping{Once: true}) }, "another"},
		{"all sleep once the body has returned", func(r *Run) { r.Sleeps(Sleeping{Over: true, Once: true}) }, "another"},
		{"a timer fires", func(r *Run) { r.hurries++ }, "another"},
		{"it comes again to a point", func(r *Run) { loops(r, overlay.AtomicLoad, 1, 2) }, "unknown"},
		{"it comes again to a point alone", func(r *Run) { loops(r, overlay.AtomicLoad, 1) }, "unknown"},
		{"it yields again and again", func(r *Run) { loops(r, overlay.Yield, 1) }, "unknown"},
	} {
		r := NewRun(Guided(nil))
		c.happens(r)
		is := "another"
		switch last(r) {
		case usual:
			is = "usual"
		case 0:
			is = "unknown"
		}
		if is != c.is {
			t.Errorf("%s: the state is %s, want %s", c.name, is, c.is)
		}
	}
	r := NewRun(Guided(nil))
	r.Pick([]int{1, 2})
	if r.Choices[0].State != 0 {
		t.Error("a state without a trace")
	}
}

// Where schedules that come to the same state are left out, a random program has the same outcomes as without, each with as few preemptions, and says as
// much to be complete.
func TestReducedOutcomes(t *testing.T) {
	programs, bound := uint64(60), 3
	if *full {
		programs = 3_000
	}
	less, runs := 0, 0
	for seed := range programs {
		p := drawToy(rand.New(rand.NewPCG(seed, 49)), 1+int(seed%4))
		least := p.least()
		p.traces = &forgets{}
		for most := range bound + 1 {
			met, e := p.found(t, most)
			if want := within(least, most); !maps.Equal(met, want) {
				t.Fatalf("seed %d, %d preemptions: %+v\nfound %v\nwant  %v", seed, most, p, met, want)
			}
			if e.Complete() != most && !(e.All() && e.Complete() == e.Most()) {
				t.Errorf("seed %d: complete up to %d, want %d", seed, e.Complete(), most)
			}
			if e.All() && len(met) != len(least) {
				t.Errorf("seed %d: %d outcomes of every schedule, want %d: %+v", seed, len(met), len(least), p)
			}
			if most == 2 {
				all := *p
				all.traces = nil
				_, every := all.found(t, most)
				less, runs = less+sum(e.made), runs+sum(every.made)
				if every.All() && !e.All() || e.GaveWay() > every.GaveWay() {
					t.Errorf("seed %d: all %v, and %v without reduction", seed, e.All(), every.All())
				}
			}
		}
	}
	t.Logf("%d schedules instead of %d", less, runs)
	if less*2 > runs {
		t.Errorf("%d schedules instead of %d", less, runs)
	}
}

func sum(all []int) (n int) {
	for _, is := range all {
		n += is
	}
	return n
}

// A trace that forgets something loses an outcome of some program.
func TestWrongTraces(t *testing.T) {
	for wrong, f := range map[string]forgets{
		"objects":    {objects: true},
		"goroutines": {goroutines: true},
		"writes":     {writes: true},
		"cases":      {cases: true},
		"taken":      {taken: true},
		"current":    {current: true},
		"waited":     {waited: true},
		"time":       {time: true},
		"sleeps":     {sleeps: true},
	} {
		loses := func() bool {
			for seed := range uint64(400) {
				p := drawToy(rand.New(rand.NewPCG(seed, 49)), 1+int(seed%4))
				least := p.least()
				p.traces = &f
				for most := range 3 {
					if met, _ := p.found(t, most); !maps.Equal(met, within(least, most)) {
						t.Logf("%s: seed %d, %d preemptions", wrong, seed, most)
						return true
					}
				}
			}
			return false
		}
		if !loses() {
			t.Errorf("a trace without %s loses nothing", wrong)
		}
	}
}
