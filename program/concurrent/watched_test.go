//go:build !wasip1 && !contend_native

package concurrent

import (
	"errors"
	"fmt"
	"testing"

	"contend/program/concurrent/litmus"
	"contend/program/concurrent/machine"
	"contend/program/concurrent/schedule"
)

// A witness takes in what a body tells in a run.
type witness interface {
	begins()
	told(text string, number int)
	outcome(end string) litmus.Outcome
}

// watcher notes what a body comes to in each run, and has a search go on when that is a failure.
type watcher struct {
	*session
	of *watched
}

// watched is what a body came to, with the least number of preemptions.
type watched struct {
	runner
	witness
	search   *schedule.Exhaustive
	joined   int                    // schedules that had come to a state of another when the run began
	outcomes map[litmus.Outcome]int // of all schedules
	made     map[litmus.Outcome]int // of the systematic schedules that came to no state of another
	goesOn   bool                   // the program ended at a race that is not to end the search
	lasts    map[way]litmus.Outcome // by the last choice
	strays   string                 // that two runs came from the same state to different outcomes
	brief    bool                   // no schedules are drawn after the systematic ones
}

// way is what is taken in a state: the goroutine that runs, or the case.
type way struct {
	state    uint64
	next, is int
}

// watch runs schedules of the body of a test. It returns what the body comes to, what the report covers, and the failure that ended the search, or nil. Once something is
// found to live on from one run to the next, each run begins as the first one did. With brief no schedules are drawn after the systematic ones.
func watch(t *testing.T, of witness, test string, o Options, brief bool) (*watched, *Report, *attempt) {
	t.Helper()
	g, err := o.guest()
	if err != nil {
		t.Fatal(err)
	}
	program, err := built{g, !o.NoRaces}.program()
	if err != nil {
		t.Fatal(err)
	}
	for fresh := false; ; fresh = true {
		r, e := &Report{}, o.systematic()
		w := &watched{runner: program, witness: of, search: e, outcomes: map[litmus.Outcome]int{}, made: map[litmus.Outcome]int{}, lasts: map[way]litmus.Outcome{}, brief: brief}
		s := &subject{program: program, runner: w, test: test, pattern: pattern(test), fresh: fresh}
		failing, _, err := s.several(o, r, e)
		if errors.As(err, new(*strays)) && !fresh {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		r.covers(e)
		return w, r, failing
	}
}

func (w *watched) Run(test, pattern string, d machine.Driver) machine.Exit {
	exit := w.runner.Run(test, pattern, &watcher{d.(*session), w})
	if w.goesOn {
		w.goesOn = false
		return machine.Exit{Code: machine.Moved}
	}
	return exit
}

func (w *watcher) Next() machine.Next {
	if w.of.brief && w.at == nil && w.of.search.Least() < 0 {
		return machine.Next{}
	}
	w.of.begins()
	w.of.joined = w.of.search.Joined()
	return w.session.Next()
}

func (w *watcher) Where(function, text string, number int) {
	if function == tellMark { // and not of a schedule that is told
		w.of.told(text, number)
	}
}

// notes takes in what a run came to that the search has learnt. What comes after a state of another schedule is that schedule's to find: it would hide a state that is wrongly
// taken for another. It reports whether the run counts.
func (w *watched) notes(end string, a *attempt) bool {
	is := w.outcome(end)
	w.ends(a, is)
	least(w.outcomes, is, a.run.Preemptions)
	if a.by != systematic || w.search.Joined() > w.joined {
		return false
	}
	least(w.made, is, a.run.Preemptions)
	return true
}

// ends notes what a run comes to after its last choice. Two runs that take the same there in the same state come to the same: that is what a state is. Where chance
// decides they may not.
func (w *watched) ends(a *attempt, is litmus.Outcome) {
	n := len(a.run.Choices)
	if n == 0 || a.notes != 0 || a.run.Choices[n-1].State == 0 {
		return
	}
	c := a.run.Choices[n-1]
	last := way{c.State, int(c.Next), 0}
	if c.Kind == schedule.Case {
		last.is = int(c.Took)
	}
	if was, known := w.lasts[last]; known && was != is && w.strays == "" {
		w.strays = fmt.Sprintf("%q and %q after the same state", was, is)
	}
	w.lasts[last] = is
}

func least(of map[litmus.Outcome]int, is litmus.Outcome, preemptions int) {
	if was, known := of[is]; !known || preemptions < was {
		of[is] = preemptions
	}
}

func (w *watcher) Ended(outcome uint32, text string, notes uint32) {
	a, is := w.at, Outcome(outcome)
	if is == Deadlock || is == Leak {
		outcome = uint32(Passed)
	}
	w.session.Ended(outcome, text, notes)
	w.of.notes(is.String(), a)
}

func (w *watcher) Raced(text string) {
	a := w.at
	w.session.Raced(text)
	if !w.of.notes(litmus.HasRaced, a) {
		a.outcome, w.of.goesOn = Passed, true
	}
}

// result is the last text that a body tells in a run.
type result struct{ text string }

func (r *result) begins() { r.text = "" }

func (r *result) told(text string, _ int) { r.text = text }

func (r *result) outcome(end string) litmus.Outcome {
	if end == litmus.Returns {
		return litmus.Outcome(r.text)
	}
	return litmus.Outcome(end)
}

// Results runs schedules of a body. It returns the results that systematic schedules come to before they come to a state of another, each with the least number of
// preemptions, and what the report covers.
func Results(t *testing.T, o Options, _ func() string) (map[litmus.Outcome]int, *Report) {
	t.Helper()
	w, r, failing := watch(t, &result{}, t.Name(), o, true)
	if failing != nil {
		t.Fatalf("%v: %s", failing.outcome, failing.text)
	}
	if w.strays != "" {
		t.Error(w.strays)
	}
	return w.made, r
}
