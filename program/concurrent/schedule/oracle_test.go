package schedule

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"contend/program/overlay"
)

var full = flag.Bool("full", false, "draw more toy programs")

// least computes all outcomes of a toy program, with the least number of preemptions that each needs. It goes from state to state and
// knows nothing of schedules: a state is visited again only if it is reached with fewer preemptions than before. The cost is a visit for each
// state and number of preemptions at most.
func (p *toy) least() map[string]int {
	best, outcomes := map[string]int{}, map[string]int{}
	var visit func(s *state, preemptions int)
	visit = func(s *state, preemptions int) {
		key := fmt.Sprint(*s)
		if was, met := best[key]; met && was <= preemptions {
			return
		}
		best[key] = preemptions
		if s.Current < 0 && len(s.Ready) == 0 && len(s.Sleeping) > 0 {
			next := s.clone()
			next.passes()
			visit(next, preemptions)
			return
		}
		if s.Panic || s.Current < 0 && len(s.Ready) == 0 {
			is := s.outcome(p)
			if was, met := outcomes[is]; !met || preemptions < was {
				outcomes[is] = preemptions
			}
			return
		}
		for place := range s.Ready {
			next, cost := s.clone(), preemptions
			if g := s.Current; g >= 0 {
				if !p.asks(s) {
					break
				}
				next.Passed[g] = true
				next.Ready = append(next.Ready, g)
				cost++
			}
			next.takes(place)
			visit(next, cost)
		}
		if s.Current >= 0 && p.asks(s) && len(s.Sleeping) > 0 {
			next := s.clone()
			next.fires()
			visit(next, preemptions+1)
		}
		if s.Current >= 0 {
			p.each(s, func(next *state) { visit(next, preemptions) })
		}
	}
	visit(p.begins(), 0)
	return outcomes
}

// asks reports whether the current goroutine is at a point that it has not passed.
func (p *toy) asks(s *state) bool {
	g := s.Current
	return s.At[g] < len(p.bodies[g]) && !s.Passed[g] && !p.bodies[g][s.At[g]].waited()
}

// each takes the step of the current goroutine in every way.
func (p *toy) each(s *state, visit func(*state)) {
	for way, ways := 0, 1; way < ways; way++ {
		next := s.clone()
		if g := s.Current; s.At[g] == len(p.bodies[g]) {
			next.Current = -1
			visit(next)
			return
		}
		next.Passed[s.Current] = true
		next.step(p, func(n int) int { ways = n; return way })
		visit(next)
	}
}

// within are the outcomes that need at most so many preemptions.
func within(least map[string]int, most int) map[string]int {
	some := maps.Clone(least)
	maps.DeleteFunc(some, func(_ string, k int) bool { return k > most })
	return some
}

// found runs every schedule with at most so many preemptions, and returns the outcomes with the least preemptions of each. Outcomes of schedules that come to a state of
// another one do not count: that one has them.
func (p *toy) found(t *testing.T, most int) (map[string]int, *Exhaustive) {
	e, met := NewExhaustive(most), map[string]int{}
	if p.traces != nil {
		e = NewReduced(most / 2 * 2) // and deeper
	}
	for b := e.Next(); ; b = e.Next() {
		for b == nil && e.Most() < most && e.Deepen() {
			b = e.Next()
		}
		if b == nil {
			break
		}
		r := NewRun(b)
		is, joined := p.run(r), e.Joined()
		if err := e.Learn(b, r); err != nil {
			t.Fatal(err)
		}
		if e.Joined() > joined {
			continue
		}
		if was, known := met[is]; !known || r.Preemptions < was {
			met[is] = r.Preemptions
		}
	}
	return met, e
}

// Every outcome of a random program that needs at most k preemptions is found with as few as it needs, and no other outcome is. Where
// there are no other schedules, all outcomes are found.
func TestOutcomes(t *testing.T) {
	programs := uint64(100)
	if *full {
		programs = 3_000
	}
	ends := 0
	for seed := range programs {
		p := drawToy(rand.New(rand.NewPCG(seed, 47)), 1+int(seed%4))
		least := p.least()
		for most := range 3 {
			met, e := p.found(t, most)
			if want := within(least, most); !maps.Equal(met, want) {
				t.Fatalf("seed %d, %d preemptions: %+v\nfound %v\nwant  %v", seed, most, p, met, want)
			}
			if e.Complete() != most {
				t.Errorf("seed %d: complete up to %d, want %d", seed, e.Complete(), most)
			}
			if e.All() {
				ends++
				if len(met) != len(least) {
					t.Errorf("seed %d: %d outcomes of every schedule, want %d: %+v", seed, len(met), len(least), p)
				}
			}
		}
	}
	if ends == 0 {
		t.Error("no program ends")
	}
}

// A failure that is drawn is one that can be, and is minimized to as few preemptions as it needs or not below them.
func TestDrawnOutcomes(t *testing.T) {
	for seed := range uint64(40) {
		p := drawToy(rand.New(rand.NewPCG(seed, 48)), 4)
		least := p.least()
		for _, s := range Samplers() {
			r := NewRun(s.New(rand.New(rand.NewPCG(3, seed)), 8))
			is := p.run(r)
			need, can := least[is]
			if !can || r.Preemptions < need {
				t.Fatalf("seed %d, %s: %q with %d preemptions, which needs %d: %+v", seed, s.Name, is, r.Preemptions, need, p)
			}
			again := NewRun(Guided(r.Deviations()))
			if now := p.run(again); now != is || again.Preemptions != r.Preemptions {
				t.Fatalf("seed %d, %s: %q with %d preemptions, guided %q with %d", seed, s.Name, is, r.Preemptions, now, again.Preemptions)
			}
			best := Minimize(r, 50, func(s Scheduler) *Run {
				if r := NewRun(s); p.run(r) == is {
					return r
				}
				return nil
			})
			if best.Preemptions < need || best.Preemptions > r.Preemptions {
				t.Errorf("seed %d, %s: minimized to %d preemptions, which needs %d", seed, s.Name, best.Preemptions, need)
			}
		}
	}
}

// Loops that end by themselves do not give way, however long they are, and loops that wait do. Whatever is found can be, nothing is endless that is not, and what is
// said to be complete is.
func TestLoopOutcomes(t *testing.T) {
	for name, traces := range map[string]*forgets{"every": nil, "reduced": {}} {
		t.Run(name, func(t *testing.T) { loopOutcomes(t, traces) })
	}
}

func loopOutcomes(t *testing.T, traces *forgets) {
	count := func(times int) *toy {
		return &toy{bodies: [][]instruction{
			{{op: overlay.AtomicAdd, times: times}, {op: overlay.AtomicLoad, times: 1}},
			{{op: overlay.AtomicStore, times: 1}},
		}, rooms: []int{1, 1}}
	}
	waits := instruction{op: overlay.AtomicLoad}
	sets := instruction{op: overlay.AtomicStore, times: 1}
	yields, sleeps := instruction{op: overlay.Yield, times: 2}, instruction{op: overlay.Sleep, object: 1, times: 2}
	for _, c := range []struct {
		name  string
		p     *toy
		every bool // no goroutine has to give way
	}{
		{"a short count", count(Patience / 2), true},
		{"a long count", count(3 * Patience), true},
		{"one waits for another", &toy{bodies: [][]instruction{{waits}, {yields, sets}}, rooms: []int{1, 1}}, false},
		{"two wait for a third", &toy{bodies: [][]instruction{{waits, sets}, {waits}, {sleeps, sets}}, rooms: []int{1, 1}}, false},
		{"two wait for one that sleeps", &toy{bodies: [][]instruction{{waits}, {{op: overlay.Yield, times: 1}, waits}, {{op: overlay.Sleep, times: 1}, sets}}, rooms: []int{1, 1}}, false},
	} {
		least := c.p.least()
		c.p.traces = traces
		met, e := c.p.found(t, 1)
		if (e.GaveWay() == 0) != c.every || (e.Complete() == 1) != c.every {
			t.Errorf("%s: complete up to %d, and %d gave way", c.name, e.Complete(), e.GaveWay())
		}
		for is, k := range met {
			if need, can := least[is]; !can || c.every && k < need { // a switch from a loop that waits is no preemption
				t.Errorf("%s: %q is found with %d preemptions, and needs %d (can be: %v)", c.name, is, k, need, can)
			}
		}
		for is, k := range within(least, 1) {
			if _, found := met[is]; !found {
				t.Errorf("%s: %q, which needs %d preemptions, is not found", c.name, is, k)
			}
		}
	}
}
