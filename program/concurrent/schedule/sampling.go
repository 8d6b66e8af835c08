package schedule

import (
	"math/rand/v2"

	"contend/program/overlay"
)

// A Sampler draws schedules.
type Sampler struct {
	Name string
	Is   string // what it does
	// New is the scheduler of one schedule. A run has about so many choices.
	New func(r *rand.Rand, length int) Scheduler
}

// Samplers lists the ways to draw schedules.
func Samplers() []Sampler {
	return []Sampler{
		{"random", "at each choice every option has the same probability", func(r *rand.Rand, _ int) Scheduler { return &random{r} }},
		{"pct", "goroutines have random priorities, and at two random choices the one that runs gets the lowest", fairly(newPCT)},
		{"pos", "operations have random priorities, drawn again for those that meet at an object", fairly(func(r *rand.Rand, _ int) Scheduler {
			return &pos{rand: r, priority: map[int]float64{}, about: map[int]operation{}}
		})},
	}
}

// mostUnfair is after how many choices all options of the next ones have the same probability. A goroutine that has a low priority may wait for ever for others that begin again
// and again, so that a run does not end that would.
const mostUnfair = 10_000

// fair makes choices as another scheduler does, and after many at random.
type fair struct {
	Scheduler
	random random
	made   int
}

// fairly is a way to draw schedules that is fair in the end.
func fairly(way func(r *rand.Rand, length int) Scheduler) func(r *rand.Rand, length int) Scheduler {
	return func(r *rand.Rand, length int) Scheduler { return &fair{way(r, length), random{r}, 0} }
}

func (s *fair) Choose(c *Choice) int {
	if s.made++; s.made > mostUnfair {
		return s.random.Choose(c)
	}
	return s.Scheduler.Choose(c)
}

type random struct{ rand *rand.Rand }

func (s *random) Choose(c *Choice) int {
	at := s.rand.IntN(c.Of)
	if c.Kind == Point && c.Goroutines[at] == Time && s.rand.IntN(seldom) > 0 {
		return s.rand.IntN(c.Of - 1)
	}
	return at
}

// seldom is how much less often time goes on than a goroutine.
const seldom = 8

// pct is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010) of depth 3.
type pct struct {
	rand     *rand.Rand
	priority map[int]float64
	changes  [2]int
	at       int
	lowest   float64
}

func newPCT(r *rand.Rand, length int) Scheduler {
	length = max(length, 1)
	return &pct{rand: r, priority: map[int]float64{}, changes: [2]int{r.IntN(length), r.IntN(length)}}
}

func (s *pct) Choose(c *Choice) int {
	if c.Kind == Case {
		return s.rand.IntN(c.Of)
	}
	for _, change := range s.changes {
		if change == s.at && c.Kind == Point {
			s.lowest--
			s.priority[c.Goroutines[0]] = s.lowest
		}
	}
	s.at++
	return highest(c.Goroutines, s.priority, s.rand)
}

// highest is the place of the goroutine with the highest priority. Goroutines that have none get one between 0 and 1.
func highest(goroutines []int, priority map[int]float64, r *rand.Rand) (at int) {
	best := 0.0
	for i, g := range goroutines {
		p, has := priority[g]
		if !has {
			p = r.Float64()
			priority[g] = p
		}
		if i == 0 || p > best {
			at, best = i, p
		}
	}
	return at
}

// pos is partial order sampling (Yuan, Yang, Gu, CAV 2018).
type pos struct {
	rand     *rand.Rand
	priority map[int]float64
	about    map[int]operation // what goroutines that wait at a point are about to do
}

// operation is what a goroutine is about to do at a point.
type operation struct {
	op     overlay.Kind
	object uint64
}

// meets reports whether the order of two operations can matter.
func (o operation) meets(p operation) bool {
	return o.object == p.object && !(o.op.Reads() && p.op.Reads())
}

func (s *pos) Choose(c *Choice) int {
	if c.Kind == Case {
		return s.rand.IntN(c.Of)
	}
	if c.Kind == Point {
		s.about[c.Goroutines[0]] = operation{c.Op, c.Object}
	}
	at := highest(c.Goroutines, s.priority, s.rand)
	g := c.Goroutines[at]
	now, is := s.about[g]
	delete(s.about, g)
	delete(s.priority, g)
	for other, o := range s.about {
		if is && o.meets(now) {
			delete(s.priority, other)
		}
	}
	return at
}
