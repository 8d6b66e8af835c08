//go:build !wasip1 && !contend_native

package concurrent

import (
	"cmp"
	"fmt"
	"strings"

	"contend/program/concurrent/machine"
	"contend/program/concurrent/schedule"
	"contend/program/overlay"
)

// attempt is one run of the body.
type attempt struct {
	by      string // how its schedule is made
	run     *schedule.Run
	tells   bool
	steps   []Step
	place   place // of the point that comes next
	outcome Outcome
	text    string
	output  string
	ended   bool
	notes   note
	refused string // what the body does and cannot do, if anything
	skipped bool   // the body skips the test
	cut     bool   // it was ended although timers went on, and nobody knows what waits
	seed    uint64 // of random numbers
}

// place is a place in a source.
type place struct {
	function, file string
	line           int
}

func newAttempt(by string, s schedule.Scheduler) *attempt {
	return &attempt{by: by, run: schedule.NewRun(s)}
}

// failure returns the run as a failure.
func (a *attempt) failure() *Failure {
	return &Failure{Outcome: a.outcome, By: a.by, Seed: a.seed, Preemptions: a.run.Preemptions, Deviations: a.run.Deviations(), Steps: a.steps, Text: a.text, Output: a.output, Refused: a.refused, long: len(a.run.Choices) >= schedule.Longest}
}

// session drives a machine through runs.
type session struct {
	fresh bool            // each run begins as the first one did
	next  func() *attempt // the next run, or nil
	done  func(*attempt)  // takes in one that has ended
	at    *attempt        // the one that runs
	last  *attempt        // the one that ended last
}

// run runs schedules until there are no more or one fails, which is the result. The error is of the machine.
func (p *subject) run(next func() *attempt, done func(*attempt)) (*attempt, error) {
	s := &session{fresh: p.fresh, next: next, done: done}
	exit := p.runner.Run(p.test, p.pattern, s)
	for exit.Code == machine.Moved {
		exit = p.runner.Run(p.test, p.pattern, s)
	}
	switch {
	case s.at != nil && exit.Code == machine.Refused:
		return nil, &refusal{s.at.refused}
	case s.at != nil && exit.Err != nil && exit.Code != machine.Ended:
		return nil, fmt.Errorf("the machine fails, and not the body: %w", exit.Err)
	case s.at != nil:
		s.crashed(exit)
	case s.last == nil || s.last.outcome == Passed && (exit.Code != 0 || exit.Err != nil):
		return nil, &setup{exit}
	}
	if s.last.outcome == Passed {
		return nil, nil
	}
	s.last.output = exit.Output
	return s.last, nil
}

// setup is the error that the test does not reach its body.
type setup struct{ exit machine.Exit }

func (e *setup) Error() string {
	text := strings.TrimSpace(e.exit.Output)
	if e.exit.Err != nil {
		text += "\n" + e.exit.Err.Error()
	}
	return "the test does not come to its body: " + text
}

// refusal is the error that the body does what it cannot do: a sentence without its subject.
type refusal struct{ does string }

func (e *refusal) Error() string { return "the body " + e.does }

// Next begins a run, or the same one again in another program.
func (s *session) Next() machine.Next {
	if s.at == nil && (s.last == nil || s.last.outcome == Passed) {
		s.at = s.next()
	}
	if s.at == nil {
		return machine.Next{}
	}
	return machine.Next{Another: true, Places: s.at.tells, Fresh: s.fresh, Seed: s.at.seed}
}

// Point chooses at a point. A point at which there is nothing to choose is only noted.
func (s *session) Point(kind uint32, object uint64, goroutines []int, state uint32, timer bool) int {
	a, op := s.at, overlay.Kind(kind)
	if op == overlay.Yield || op == overlay.Sleep {
		return s.goesOn(a.run.Waits(op, goroutines, state))
	}
	took := a.run.Point(op, object, goroutines, state, timer)
	if a.tells {
		is := Step{Goroutine: goroutines[0], Op: op, object: object, Function: a.place.function, File: a.place.file, Line: a.place.line, To: schedule.Time}
		if took < len(goroutines) {
			is.To = goroutines[took]
		}
		is.GivesWay = took > 0 && a.run.Forced()
		is.Preempted = took > 0 && !is.GivesWay
		a.steps = append(a.steps, is)
	}
	return s.goesOn(took)
}

// goesOn is a choice, or less than 0 if the run is too long.
func (s *session) goesOn(took int) int {
	if s.at.run.Endless {
		return -1
	}
	return took
}

// Pick chooses the goroutine that runs next.
func (s *session) Pick(goroutines []int) int { return s.goesOn(s.at.run.Pick(goroutines)) }

// Case chooses the case of a select statement.
func (s *session) Case(of int) int {
	took := s.at.run.Case(of)
	if n := len(s.at.steps); n > 0 {
		s.at.steps[n-1].Case, s.at.steps[n-1].Of = took, of
	}
	return s.goesOn(took)
}

// Traced notes what has happened in the run.
func (s *session) Traced(trace uint64) { s.at.run.Traced(trace) }

// Where notes where the next point is.
func (s *session) Where(function, file string, line int) {
	s.at.place = place{function, file, line}
}

// Waits returns how a run goes on in which all goroutines wait.
func (s *session) Waits(w schedule.Sleeping) schedule.Course {
	if s.at == nil {
		return schedule.Continues
	}
	is := s.at.run.Sleeps(w)
	s.at.cut = is == schedule.Cut
	return is
}

// Ended ends a run.
func (s *session) Ended(outcome uint32, text string, notes uint32) {
	a := s.at
	a.outcome, a.text, a.ended, a.notes = Outcome(outcome), text, true, note(notes)
	if a.outcome == skips {
		a.outcome, a.skipped = Passed, true
	}
	s.at, s.last = nil, a
	if s.done != nil {
		s.done(a)
	}
}

// Refused notes the first thing that the body does and cannot do.
func (s *session) Refused(does string) {
	if s.at != nil {
		s.at.refused = cmp.Or(s.at.refused, does)
	}
}

// Raced ends a run at a data race.
func (s *session) Raced(text string) { s.Ended(uint32(Race), text, 0) }

// crashed ends a run with which the program ended.
func (s *session) crashed(exit machine.Exit) {
	outcome := Panic
	if exit.Code == machine.Ended {
		outcome = Endless
	}
	text := crash(exit.Output)
	if exit.Err != nil {
		text = exit.Err.Error()
	}
	s.Ended(uint32(outcome), text, 0)
}
