// Package minimize makes the run of a trace smaller while it breaks the same claim.
//
// A candidate is a plan: some steps of the best run so far, perhaps with other times or answers, in the same
// configuration or a smaller one. plan.go says what a plan is, and take.go takes it through the
// interpreter, [contend/model/world], as far as it is possible: what is not possible is left out. verdict.go says
// whether the run that comes of it breaks the claim. A candidate that does, and is smaller by the order of
// size.go, is written as a trace and replayed strictly; then it is the best run.
//
// The passes make the plans: steps.go leaves steps out, sizes.go makes the configuration smaller, simpler.go
// gives simpler lies, answers and times. They are repeated until none of them helps. Then other runs may be looked for in smaller
// configurations, and made smaller there: see elsewhere.go. In the end a search may look for the shortest run of
// what remains: see [Options.Shortest].
package minimize

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"contend/checker/judge"
	"contend/model"
	"contend/model/guard"
	"contend/traces"
	"contend/traces/replay"
)

// Options bound and tune a minimisation. The zero value has no limits and makes no search.
type Options struct {
	// Timeout stops the minimisation; what was reached by then is returned. 0 means no limit.
	Timeout time.Duration
	// MaxSteps stops it after about so many steps of candidates in all, which is the same everywhere; 0 means no limit.
	MaxSteps int64
	// Interrupt, unless nil, stops it when it is closed.
	Interrupt <-chan struct{}
	// KeepConfig leaves the configuration as it is.
	KeepConfig bool
	// Shortest, unless nil, searches for the shortest run that breaks the claim of a trace, in its configuration
	// and its reading of time. It is called once, in the end.
	Shortest func(t *traces.Trace) (Search, error)
	// Elsewhere, unless nil, looks for any run that breaks the claim of a trace, in its configuration and its reading of time. It is
	// called for smaller configurations; the trace has no steps. An error is taken for none.
	Elsewhere func(t *traces.Trace) (Search, error)
	// Progress, unless nil, is called after each candidate, from the goroutine that called [Minimize].
	Progress func(Progress)
	// Running, unless nil, shows which handler runs.
	Running *guard.Cell
}

// A Search is what a search for a run came to.
type Search struct {
	// Trace is the run that it found; nil for none.
	Trace *traces.Trace
	// By says what found it, in a word.
	By string
	// States is how many states it met, Schedules how many it sampled, of how many Steps in all.
	States, Schedules, Steps int64
	// Limit is what stopped it before it could prove that no run is shorter; "" if nothing did.
	Limit string
}

// Progress is how far a minimisation has come.
type Progress struct {
	Pass  string // what is tried, in words
	Steps int    // of the best run so far
	Tried int64  // candidates so far
}

// Minimize returns the smallest trace that it finds which breaks the same claim, or comes to the same cost, as t does,
// and says in the report how small that is. The trace that it returns was replayed strictly, and is never
// longer than t, nor in a larger configuration; t itself is not changed.
//
// The error is bad input, in a sentence: t does not replay, or it names nothing that it breaks. A handler that
// panics is no error but what a run may break.
func Minimize(p *model.Protocol, t *traces.Trace, opt Options) (*traces.Trace, Report, error) {
	m, err := begin(p, t, opt)
	if errors.Is(err, replay.ErrStopped) {
		return t, Report{From: len(t.Steps), To: len(t.Steps), FromConfig: t.Config, ToConfig: t.Config, Limit: m.stopped}, nil
	}
	if err != nil {
		return nil, Report{}, err
	}
	for {
		m.fixpoint()
		for m.elsewhere() {
		}
		again, err := m.shortest()
		if err != nil {
			return nil, Report{}, err
		}
		if !again {
			break
		}
	}
	m.report.Limit = m.stopped
	m.report.To, m.report.ToConfig = len(m.trace.Steps), m.trace.Config
	return m.trace, m.report, nil
}

// A minimizer holds the best run so far.
type minimizer struct {
	protocol *model.Protocol
	claims   []model.Claim // all that can be watched
	opt      Options
	deadline time.Time
	judge    func(*taking) bool // whether a run breaks the claim; nil where one run cannot show it
	unmet    []model.Assumption // of the claim, by the trace that is given
	best     *taken             // nil where no run can be judged
	trace    *traces.Trace      // of the best run
	stages   map[string]*stage
	looked   map[string]bool // configurations in which other runs were looked for
	pass     string
	thorough bool   // plans are taken by the oldest events, too
	steps    int64  // of candidates so far
	stopped  string // why there is no time left, or ""
	report   Report
}

// begin replays the trace and takes it as the first plan. Where that is stopped from outside, the error is [replay.ErrStopped].
func begin(p *model.Protocol, t *traces.Trace, opt Options) (*minimizer, error) {
	if t.Claim == "" && t.Cost == nil {
		return nil, errors.New("trace: it names no claim and no cost, and what a run does not break it cannot break in fewer steps")
	}
	m := &minimizer{protocol: p, claims: judge.Watched(p.Statements()), opt: opt, stages: map[string]*stage{}, looked: map[string]bool{}, trace: t}
	if opt.Timeout > 0 {
		m.deadline = time.Now().Add(opt.Timeout)
	}
	run, err := m.replay(t)
	if err != nil {
		return m, err
	}
	m.report.From, m.report.FromConfig = len(t.Steps), t.Config
	return m, m.first(run)
}

// replay takes a trace strictly, unless the minimisation is stopped from outside meanwhile.
func (m *minimizer) replay(t *traces.Trace) (*replay.Run, error) {
	return replay.Guarded(m.protocol, t, m.claims, m.opt.Running, m.interrupted)
}

// first takes the run of the trace that is given, of which all that is recorded is possible.
func (m *minimizer) first(run *replay.Run) error {
	header := *run.Trace
	header.Watched, header.Steps, header.Picture, header.Note = run.Watched, nil, nil, ""
	st, err := m.stage(header)
	if err != nil {
		return err
	}
	m.unmet = m.unmetIn(st)
	m.judge = judgeOf(header, st.claim)
	if m.judge == nil {
		return nil
	}
	first, err := m.record(st, run)
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	if first == nil {
		m.judge = nil // the run breaks its claim in a way that a run by itself does not show
		return nil
	}
	m.best = first
	return nil
}

// fixpoint repeats the passes until none of them makes the run smaller.
func (m *minimizer) fixpoint() {
	if m.best == nil {
		return
	}
	for {
		before := m.best
		m.apart()
		m.cone()
		m.smallerSizes()
		m.fewerSteps()
		m.simpler()
		if m.best == before || m.stopped != "" {
			break
		}
	}
	m.report.Locally = m.stopped == ""
}

// over reports whether no further candidate is to be tried, and notes why.
func (m *minimizer) over() bool {
	if !m.late() && m.stopped == "" && m.opt.MaxSteps > 0 && m.steps > m.opt.MaxSteps {
		m.stopped = "steps"
	}
	return m.stopped != ""
}

// late reports whether the user has asked to stop or the time is over, and notes it.
func (m *minimizer) late() bool {
	if !m.interrupted() && m.stopped == "" && !m.deadline.IsZero() && time.Now().After(m.deadline) {
		m.stopped = "timeout"
	}
	return m.stopped == "interrupted" || m.stopped == "timeout"
}

// interrupted reports whether the user has asked to stop, and notes it. It is asked before each step of a candidate or a replay: a step of a
// program takes milliseconds, and a run may have thousands.
func (m *minimizer) interrupted() bool {
	select {
	case <-m.opt.Interrupt:
		m.stopped = "interrupted"
	default:
	}
	return m.stopped == "interrupted"
}

// try takes a plan, and keeps the run that comes of it if it breaks the claim and is smaller than the best. A plan in which a step
// does not find its event is taken once more narrowly, and a third time, where that is worth it, by the oldest events.
func (m *minimizer) try(p plan) bool {
	if m.over() {
		return false
	}
	is, amiss := m.take(p)
	if m.keeps(is) {
		return true
	}
	ways := []matching{narrow, oldest}
	if !m.thorough {
		ways = ways[:1]
	}
	for _, p.by = range ways {
		if !amiss || m.over() {
			return false
		}
		if is, _ = m.take(p); m.keeps(is) {
			return true
		}
	}
	return false
}

// keeps makes a run the best one if it is smaller, and replays.
func (m *minimizer) keeps(is *taken) bool {
	m.report.Tried++
	if m.opt.Progress != nil {
		m.opt.Progress(Progress{Pass: m.pass, Steps: len(m.best.records), Tried: m.report.Tried})
	}
	if is == nil || !m.smaller(is) {
		return false
	}
	t, err := is.trace()
	if err != nil {
		return false
	}
	if _, err := m.replay(t); err != nil {
		if !errors.Is(err, replay.ErrStopped) {
			m.report.Refused++
		}
		return false
	}
	m.best, m.trace = is, t
	return true
}

// shortest lets a search look for a shorter run. It reports whether the passes made a smaller configuration of the run that it
// found, so that there is something to search again.
func (m *minimizer) shortest() (again bool, err error) {
	if m.opt.Shortest == nil {
		return false, nil
	}
	found, err := m.opt.Shortest(m.trace)
	if err != nil {
		return false, err
	}
	m.report.States, m.report.SearchStates, m.report.SearchLimit, m.report.Searched = m.report.States+found.States, found.States, found.Limit, true
	searched := m.trace.Config.String()
	if t := found.Trace; t != nil && (len(t.Steps) < len(m.trace.Steps) || t.NoReturn != nil && len(t.Steps) == len(m.trace.Steps)) {
		another := m.report.Another
		if !reflect.DeepEqual(t.Steps, m.trace.Steps) {
			another = &Another{Config: m.trace.Config, Steps: len(t.Steps), By: found.By}
		}
		if err := m.goesOnWith(t, another); err != nil {
			return false, err
		}
	}
	if m.trace.Config.String() != searched && m.stopped == "" {
		return true, nil
	}
	m.report.Shortest = found.Limit == "" && found.Trace != nil && len(found.Trace.Steps) == len(m.trace.Steps)
	return false, nil
}

// goesOnWith takes the run that the search found in place of the best, and makes that smaller. Where that is stopped from outside before the
// run was taken again, the best stays.
func (m *minimizer) goesOnWith(t *traces.Trace, another *Another) error {
	before := *m
	run, err := m.replay(t)
	if err == nil {
		m.trace, m.best = t, nil
		err = m.first(run)
	}
	switch {
	case errors.Is(err, replay.ErrStopped):
		m.trace, m.best, m.judge = before.trace, before.best, before.judge
		return nil
	case err != nil:
		return fmt.Errorf("the run that the search found does not replay: %w", err)
	}
	m.report.Another = another
	m.fixpoint()
	return nil
}
