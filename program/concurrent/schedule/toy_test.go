package schedule

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/program/overlay"
)

// An instruction is an operation of a goroutine of a toy program. Objects are numbers, of locks, channels, groups and variables each for
// themselves. What an instruction sees is kept in the goroutine's history.
type instruction struct {
	op     overlay.Kind // overlay.Yield and overlay.Sleep are among them
	object int          // of a sleep, its length
	times  int          // how often it is done; 0: until the value of the object is not 0
	cases  []int        // of a select: the channels of which it receives one
}

// toy is a program of the tiny language: the instructions of its goroutines, the capacities of its channels, and how many values are in them
// at first.
type toy struct {
	bodies [][]instruction
	rooms  []int
	full   [objects]int
	traces *forgets // nil: what happens is not named
}

// readsClock is an instruction that sees what time it is.
const readsClock = overlay.Call

// objects is how many objects there are of each kind.
const objects = 2

// state is where a run of a toy program is. Goroutines that wait are in the queues of what they wait for, oldest first.
type state struct {
	At, Done []int  // by goroutine: its instruction, and how often that was done
	Passed   []bool // the point before it was passed
	Seen     []string
	Current  int   // -1: none
	Ready    []int // that can run besides the current one, oldest first
	Held     [objects]int
	Full     [objects]int // values in a channel
	Closed   [objects]bool
	Count    [objects]int // of a group
	Value    [objects]int
	Waiting  [3][objects][]int // for locks, for channels, for groups
	Panic    bool
	Now      int
	Sleeping []int  // goroutines
	Until    []int  // when these wake up
	Trace    *trace // nil: what happens is not named
}

// The kinds of queues.
const (
	forLock = iota
	forChannel
	forGroup
)

func (p *toy) begins() *state {
	n := len(p.bodies)
	s := &state{At: make([]int, n), Done: make([]int, n), Passed: make([]bool, n), Seen: make([]string, n), Current: -1, Full: p.full}
	for g, body := range p.bodies {
		if len(body) > 0 {
			s.Ready = append(s.Ready, g)
		}
		for _, in := range body {
			if in.op == overlay.Done {
				s.Count[in.object] += in.times
			}
		}
	}
	return s
}

func (s *state) clone() *state {
	c := *s
	for _, field := range []*[]int{&c.At, &c.Done, &c.Ready, &c.Sleeping, &c.Until} {
		*field = slices.Clone(*field)
	}
	c.Passed, c.Seen = slices.Clone(s.Passed), slices.Clone(s.Seen)
	for kind := range c.Waiting {
		for object := range c.Waiting[kind] {
			c.Waiting[kind][object] = slices.Clone(s.Waiting[kind][object])
		}
	}
	return &c
}

// outcome is what a run that has ended came to: what goroutines saw, where those wait that do, and values.
func (s *state) outcome(p *toy) string {
	left := 0
	for g := range s.At {
		if s.At[g] < len(p.bodies[g]) {
			left |= 1 << g
		}
	}
	return fmt.Sprint(strings.Join(s.Seen, "|"), left, s.Value, s.Full, s.Panic)
}

// passes has time go on to when the next goroutine wakes up, if one sleeps.
func (s *state) passes() {
	if len(s.Until) == 0 {
		return
	}
	s.Now = slices.Min(s.Until)
	s.Trace.passes(s.Now)
	for i := 0; i < len(s.Until); {
		if s.Until[i] > s.Now {
			i++
			continue
		}
		s.Ready = append(s.Ready, s.Sleeping[i])
		s.Trace.wakes(s.Sleeping[i], timer)
		s.Sleeping, s.Until = slices.Delete(s.Sleeping, i, i+1), slices.Delete(s.Until, i, i+1)
	}
}

// fires has time go on while a goroutine can run. What wakes up runs first.
func (s *state) fires() {
	g, before := s.Current, len(s.Ready)
	if s.passes(); len(s.Ready) > before {
		s.Passed[g] = true
		s.takes(before)
		s.Ready = append(s.Ready, g)
	}
}

// local names the state of a goroutine.
func (s *state) local(g int) uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, s.At[g], s.Done[g], s.Seen[g])
	return h.Sum32() | 1
}

// waited reports whether an instruction is none with a point.
func (in instruction) waited() bool { return in.op == overlay.Yield || in.op == overlay.Sleep }

// takes has a ready goroutine run.
func (s *state) takes(place int) {
	s.Current = s.Ready[place]
	s.Ready = slices.Delete(s.Ready, place, place+1)
}

func (s *state) waits(kind, object int) {
	s.Waiting[kind][object] = append(s.Waiting[kind][object], s.Current)
	s.Current = -1
}

// wakes makes those ready that wait for an object, at most so many. They do their instruction again.
func (s *state) wakes(kind, object, most int) {
	for ; most > 0 && len(s.Waiting[kind][object]) > 0; most-- {
		s.Ready = append(s.Ready, s.Waiting[kind][object][0])
		s.Trace.wakes(s.Waiting[kind][object][0], s.Current)
		s.Waiting[kind][object] = s.Waiting[kind][object][1:]
	}
}

// readyCases are the channels of a select from which something can be received.
func (s *state) readyCases(in instruction) (ready []int) {
	for _, c := range in.cases {
		if s.Full[c] > 0 || s.Closed[c] {
			ready = append(ready, c)
		}
	}
	return ready
}

// step does the instruction of the current goroutine. choose is asked for one of the ready cases where there are several.
func (s *state) step(p *toy, choose func(n int) int) {
	g := s.Current
	in := p.bodies[g][s.At[g]]
	done := s.does(p, in, choose)
	if !done {
		return
	}
	s.Passed[g] = false
	if in.times == 0 && s.Value[in.object] == 0 {
		return
	}
	if s.Done[g]++; s.Done[g] < in.times {
		return
	}
	s.Done[g] = 0
	if s.At[g]++; s.At[g] == len(p.bodies[g]) && s.Current == g {
		s.Current = -1
	} else if s.At[g] == len(p.bodies[g]) && in.op == overlay.Yield {
		s.Ready = slices.DeleteFunc(s.Ready, func(other int) bool { return other == g })
	}
}

// does reports whether an instruction is done, and else has its goroutine wait.
func (s *state) does(p *toy, in instruction, choose func(n int) int) bool {
	o, g := in.object, s.Current
	see := func(v any) { s.Seen[g] += fmt.Sprint(v) }
	s.Trace.does(g, in)
	switch in.op {
	case overlay.Yield:
		s.Ready = append(s.Ready, g)
		s.Current = -1
	case overlay.Sleep:
		s.Sleeping, s.Until = append(s.Sleeping, g), append(s.Until, s.Now+o+1)
		s.Current = -1
	case overlay.Lock:
		if s.Held[o] != 0 {
			s.waits(forLock, o)
			return false
		}
		s.Held[o] = g + 1
	case overlay.TryLock:
		if see(s.Held[o] == 0); s.Held[o] == 0 {
			s.Held[o] = g + 1
		}
	case overlay.Unlock:
		if s.Held[o] == g+1 {
			s.Held[o] = 0
			s.wakes(forLock, o, 1)
		}
	case overlay.Send:
		if s.Closed[o] {
			s.Panic = true
		} else if s.Full[o] == p.rooms[o] {
			s.waits(forChannel, o)
			return false
		}
		s.Full[o]++
		s.wakes(forChannel, o, len(p.bodies))
	case overlay.Receive:
		if s.Full[o] == 0 && !s.Closed[o] {
			s.waits(forChannel, o)
			return false
		}
		s.receives(o, see, len(p.bodies))
	case overlay.Select:
		ready, place := s.readyCases(in), 0
		if len(ready) > 1 {
			place = choose(len(ready))
			s.Trace.takes(g, place)
		}
		if len(ready) == 0 {
			see("d")
			break
		}
		see(ready[place])
		s.receives(ready[place], see, len(p.bodies))
	case overlay.Close:
		s.Panic = s.Panic || s.Closed[o]
		s.Closed[o] = true
		s.wakes(forChannel, o, len(p.bodies))
	case overlay.Done:
		if s.Count[o]--; s.Count[o] == 0 {
			s.wakes(forGroup, o, len(p.bodies))
		}
	case overlay.Wait:
		if s.Count[o] > 0 {
			s.waits(forGroup, o)
			return false
		}
	case readsClock:
		see(s.Now)
	case overlay.AtomicLoad:
		if in.times > 0 || s.Value[o] != 0 {
			see(s.Value[o])
		}
	case overlay.AtomicAdd:
		s.Value[o]++
	case overlay.AtomicStore:
		s.Value[o] = 7 + g
	}
	return true
}

func (s *state) receives(channel int, see func(any), all int) {
	if see(s.Full[channel] > 0); s.Full[channel] > 0 {
		s.Full[channel]--
		s.wakes(forChannel, channel, all)
	}
}

// run runs a toy program under a scheduler, as the runtime does.
func (p *toy) run(r *Run) string {
	s := p.begins()
	if p.traces != nil {
		s.Trace = newTrace(len(p.bodies), p.traces)
	}
	for !r.Endless && !s.Panic {
		switch {
		case s.Current < 0 && len(s.Ready) == 0 && (len(s.Sleeping) == 0 || r.Sleeps(Sleeping{Once: true}) != Continues):
			return s.outcome(p)
		case s.Current < 0 && len(s.Ready) == 0:
			s.passes()
			continue
		case s.Current < 0:
			place := 0
			if len(s.Ready) > 1 {
				s.Trace.tells(r, s)
				place = r.Pick(slices.Clone(s.Ready))
			}
			s.takes(place)
		}
		p.runs(s, r)
	}
	return s.outcome(p)
}

// runs has the current goroutine do its next instruction, unless another one runs first.
func (p *toy) runs(s *state, r *Run) {
	g := s.Current
	if s.At[g] == len(p.bodies[g]) { // it slept at its end
		s.Current = -1
		return
	}
	in := p.bodies[g][s.At[g]]
	can := func() []int { return append([]int{g}, s.Ready...) }
	if in.waited() && r.Waits(in.op, can(), s.local(g)) > 0 {
		s.passes()
	}
	for !s.Passed[g] && !in.waited() {
		all := can()
		s.Trace.tells(r, s)
		took := r.Point(in.op, uint64(in.object), all, s.local(g), len(s.Sleeping) > 0)
		if took == len(all) {
			if s.fires(); s.Current != g || r.Endless {
				return
			}
			continue
		}
		if s.Passed[g] = true; took > 0 {
			s.takes(took - 1)
			s.Ready = append(s.Ready, g)
			return
		}
	}
	s.Passed[g] = true
	s.step(p, func(n int) int {
		s.Trace.tells(r, s)
		return r.Case(n)
	})
}

// drawToy draws a program of two or three goroutines that do a few things each, at most so many.
func drawToy(r *rand.Rand, most int) *toy {
	p := &toy{rooms: []int{1 + r.IntN(2), 1}, full: [objects]int{r.IntN(2), r.IntN(2)}}
	ops := []overlay.Kind{overlay.Yield, overlay.Sleep, overlay.Lock, overlay.Lock, overlay.Unlock, overlay.TryLock, overlay.Send, overlay.Receive, overlay.Select, overlay.Select, overlay.Close,
		overlay.Done, overlay.Wait, overlay.AtomicLoad, overlay.AtomicAdd, overlay.AtomicStore, overlay.AfterUnlock, readsClock}
	for range 2 + r.IntN(2) {
		var body []instruction
		for range 1 + r.IntN(most) {
			in := instruction{op: ops[r.IntN(len(ops))], object: r.IntN(objects), times: 1}
			switch in.op {
			case overlay.Select:
				in.cases = []int{0, 1}
			case overlay.Lock:
				body = append(body, in)
				in.op = []overlay.Kind{overlay.AtomicLoad, overlay.AtomicAdd}[r.IntN(2)]
				body = append(body, in)
				in.op = overlay.Unlock
			case overlay.AtomicLoad, overlay.AtomicAdd:
				in.times += r.IntN(2)
			}
			body = append(body, in)
		}
		p.bodies = append(p.bodies, body)
	}
	return p
}
