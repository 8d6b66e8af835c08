package litmus

import (
	"errors"
	"fmt"
	"strings"
)

// How a program ends.
const (
	Returns  = "passed"
	Stuck    = "deadlock"
	Leaks    = "leak"
	Spins    = "endless"
	HasRaced = "data race"
)

// An Outcome is the end of a program, with each goroutine's place and the values that it saw at its instructions.
// Of a race nothing else is known.
type Outcome string

// NewOutcome returns an outcome, from the values that each goroutine saw, in order. Panics skip instructions, at
// which a goroutine sees nothing.
func NewOutcome(end string, saw [][]int) Outcome {
	if end == HasRaced {
		return HasRaced
	}
	var b strings.Builder
	b.WriteString(end)
	for g, all := range saw {
		fmt.Fprintf(&b, " %d:%v", g, all)
	}
	return Outcome(b.String())
}

// Everything returns all outcomes of a program, each with its least number of preemptions. A preemption is a
// switch from a goroutine that could continue, or a timer that fires although one could. With races, data races
// are detected and end the program. It is an error if there are too many states or accesses.
func (p *Program) Everything(mostStates int, races bool) (map[Outcome]int, error) {
	e := &explorer{Program: p, most: mostStates}
	if races && !e.numbers() {
		return nil, errors.New("too many accesses to variables")
	}
	start := state{running: -1}
	start.of[0].status = ready
	for i := range Objects {
		start.groups[i].counter = int8(p.Counts[i])
	}
	if p.Timeout > 0 {
		start.sets(cancels, canceller, p.Timeout)
	}
	return e.explore(start)
}

// explore visits states, those with fewer preemptions first.
func (e *explorer) explore(start state) (map[Outcome]int, error) {
	outcomes, met := map[Outcome]int{}, map[state]bool{}
	now, next := []state{start}, []state(nil)
	for preemptions := 0; len(now) > 0; preemptions++ {
		for len(now) > 0 {
			s := now[len(now)-1]
			now = now[:len(now)-1]
			if met[s] {
				continue
			}
			if met[s] = true; len(met) > e.most {
				return nil, errors.New("too many states")
			}
			free, preempted, end := e.successors(&s)
			if end != "" {
				is := e.outcome(&s, end)
				if _, known := outcomes[is]; !known {
					outcomes[is] = preemptions
				}
			}
			now, next = append(now, free...), append(next, preempted...)
		}
		now, next = next, now[:0]
	}
	return outcomes, nil
}

// successors returns the next states, without and with a preemption, or the end of the program.
func (e *explorer) successors(s *state) (free, preempted []state, end string) {
	if s.raced {
		return nil, nil, HasRaced
	}
	g := int(s.running)
	if g < 0 {
		for other := range s.of {
			if s.of[other].status == ready {
				n := *s
				n.running = int8(other)
				free = append(free, n)
			}
		}
		if len(free) > 0 {
			return free, nil, ""
		}
		if s.timers[0].kind != unset && e.anyWaits(s) {
			n := *s
			n.fires()
			return []state{n}, nil, ""
		}
		return nil, nil, e.end(s)
	}
	if e.points(s, g) {
		for other := range s.of {
			if other != g && s.of[other].status == ready {
				n := *s
				n.running = int8(other)
				preempted = append(preempted, n)
			}
		}
		if s.timers[0].kind != unset && !s.returned {
			n := *s
			if woken := n.fires(); woken >= 0 { // it runs at once
				n.running = int8(woken)
			}
			preempted = append(preempted, n)
		}
	}
	for way, ways := 0, 1; way < ways; way++ {
		n := *s
		e.step(&n, func(of int) int { ways = of; return way })
		free = append(free, n)
	}
	if e.spins(s) {
		end = Spins
	}
	return free, preempted, end
}

func (e *explorer) anyWaits(s *state) bool {
	for g := range e.Bodies {
		if s.of[g].status == waits {
			return true
		}
	}
	return false
}

// end returns how a program ends in which no goroutine can run.
func (e *explorer) end(s *state) string {
	switch {
	case !s.returned:
		return Stuck
	case e.anyWaits(s):
		return Leaks
	}
	return Returns
}

// spins reports whether all goroutines that can run loop until something happens that nobody does.
func (e *explorer) spins(s *state) bool {
	if s.timers[0].kind != unset {
		return false
	}
	for g := range s.of {
		me := &s.of[g]
		if me.status != ready {
			continue
		}
		if g == canceller || int(me.at) >= len(e.Bodies[g]) {
			return false
		}
		in := e.Bodies[g][me.at]
		if !(in.Op == Await && s.atomics[in.On] == 0 || in.Op == AwaitLock && s.locks[in.On].locked) {
			return false
		}
	}
	return true
}

func (e *explorer) outcome(s *state, end string) Outcome {
	saw := make([][]int, len(e.Bodies))
	for g := range e.Bodies {
		for at := range int(s.of[g].at) {
			saw[g] = append(saw[g], int(s.of[g].saw[at]))
		}
	}
	return NewOutcome(end, saw)
}
