//go:build !wasip1

package concurrent

import (
	"strings"

	"contend/checker/concurrent/machine"
	"contend/checker/concurrent/schedule"
	"contend/model/program/overlay"
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
	waits   int
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
	return &Failure{Outcome: a.outcome, By: a.by, Preemptions: a.run.Preemptions, Deviations: a.run.Deviations(), Steps: a.steps, Text: a.text, Output: a.output}
}

// mostWaits is how often all goroutines of a run may wait for a timer.
const mostWaits = 10_000

// session drives a machine through runs.
type session struct {
	next func() *attempt // the next run, or nil
	done func(*attempt)  // takes in one that has ended
	at   *attempt        // the one that runs
	last *attempt        // the one that ended last
}

// run runs schedules until there are no more or one fails, which is the result. The error is of the machine.
func (p *subject) run(next func() *attempt, done func(*attempt)) (*attempt, error) {
	s := &session{next: next, done: done}
	exit := p.program.Run(p.test, p.pattern, s)
	switch {
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
	return "the test does not run in WebAssembly: " + text
}

// Next begins a run.
func (s *session) Next() (another, tells bool) {
	s.at = s.next()
	return s.at != nil, s.at != nil && s.at.tells
}

// Point chooses at a point. A point at which nothing else can run is only noted.
func (s *session) Point(kind uint32, object uint64, goroutines []int) int {
	a := s.at
	took, forced := 0, false
	if len(goroutines) > 1 {
		took = a.run.Point(overlay.Kind(kind), object, goroutines)
		forced = a.run.Forced()
	}
	if a.tells {
		a.steps = append(a.steps, Step{Goroutine: goroutines[0], Op: overlay.Kind(kind), object: object,
			Function: a.place.function, File: a.place.file, Line: a.place.line, Preempted: took > 0 && !forced, GivesWay: forced, To: goroutines[took]})
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

// Where notes where the next point is.
func (s *session) Where(function, file string, line int) {
	s.at.place = place{function, file, line}
}

// Waited counts how often the run waits for timers.
func (s *session) Waited() bool {
	if s.at == nil {
		return true
	}
	s.at.waits++
	return s.at.waits < mostWaits
}

// Ended ends a run.
func (s *session) Ended(outcome uint32, text string) {
	a := s.at
	a.outcome, a.text, a.ended = Outcome(outcome), text, true
	s.at, s.last = nil, a
	if s.done != nil {
		s.done(a)
	}
}

// Raced ends a run at a data race.
func (s *session) Raced(text string) { s.Ended(uint32(Race), text) }

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
	s.Ended(uint32(outcome), text)
}
