// Package minimize minimizes the run of a trace: the smaller run breaks the same claim.
//
// A candidate is a plan: some steps of the best run so far, perhaps with other times or answers, in the same
// or in a smaller configuration. plan.go defines plans. execution.go executes a plan in the interpreter,
// [contend/model/world], and skips impossible steps. verdict.go decides whether the resulting run breaks the
// claim. If so, and if it is smaller by the order of size.go, it is written as a trace and replayed strictly.
// Then it is the best run.
//
// The passes make plans. steps.go removes steps, sizes.go reduces the configuration, and simplify.go
// simplifies lies, answers and times. They repeat until none helps. Then other runs may be searched for in
// smaller configurations: see configurations.go. Finally a search may find the shortest run of the remaining
// configuration: see [Options.Shortest].
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

// Options bound a minimization. The zero value has no limits and no searches.
type Options struct {
	// Timeout ends the minimization with the best run so far; 0 is no limit.
	Timeout time.Duration
	// MaxSteps is the approximate total number of candidates' steps, equal on all machines; 0 is no limit.
	MaxSteps int64
	// Interrupt, unless nil, ends the minimization once it is closed.
	Interrupt <-chan struct{}
	// KeepConfig forbids other configurations.
	KeepConfig bool
	// Shortest, unless nil, searches for the shortest run that breaks a trace's claim, in the trace's
	// configuration and interpretation of time. It is called after the passes, again whenever they reduced
	// the configuration of its result.
	Shortest func(t *traces.Trace) (Search, error)
	// AnyRun, unless nil, searches for any run that breaks a trace's claim, in the trace's configuration
	// and interpretation of time. It is called for smaller configurations, with a trace without steps. An
	// error counts as no run.
	AnyRun func(t *traces.Trace) (Search, error)
	// Progress, unless nil, is called after each candidate, from the goroutine of [Minimize].
	Progress func(Progress)
	// Running, unless nil, shows the running handler.
	Running *guard.Cell
}

// A Search is the result of a search for a run.
type Search struct {
	// Trace is the run; nil for none.
	Trace *traces.Trace
	// By is the method in one word.
	By string
	// States is the number of visited states, Schedules of sampled schedules, and Steps of their steps.
	States, Schedules, Steps int64
	// Limit is the reason why the search proves nothing about shorter runs; "" if it does.
	Limit string
}

// Progress is the progress of a minimization.
type Progress struct {
	Pass  string // description of the present pass
	Steps int    // of the best run so far
	Tried int64  // candidates so far
}

// Minimize returns the smallest trace that it finds with the violation, or the cost, of t, and a report. The
// result has been replayed strictly. It has at most t's steps, and no larger configuration. Minimize does not
// modify t.
//
// The error is one sentence about invalid input: t does not replay, or names no violation. A panic of a
// handler is no error, but a violation.
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
		for m.reduceConfiguration() {
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

// A minimizer is a minimization in progress.
type minimizer struct {
	protocol *model.Protocol
	claims   []model.Claim // all that can be watched
	opt      Options
	deadline time.Time
	judge    func(*execution) bool // reports whether a run breaks the claim; nil if one run cannot show it
	unmet    []model.Assumption    // assumptions of the claim that the original trace does not meet
	best     *result               // nil if runs cannot be judged
	trace    *traces.Trace         // of the best run
	stages   map[string]*stage
	searched map[string]bool // configurations that were searched for other runs
	pass     string
	thorough bool   // try also matches the oldest events
	steps    int64  // candidates' steps so far
	stopped  string // limit that ended the minimization, or ""
	report   Report
}

// begin replays the trace and makes it the best run. If it is interrupted, the error is [replay.ErrStopped].
func begin(p *model.Protocol, t *traces.Trace, opt Options) (*minimizer, error) {
	if t.Claim == "" && t.Cost == nil {
		return nil, errors.New("trace: it names no claim and no cost, so there is nothing to preserve")
	}
	m := &minimizer{protocol: p, claims: judge.Watched(p.Statements()), opt: opt, stages: map[string]*stage{}, searched: map[string]bool{}, trace: t}
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

// replay replays a trace strictly, unless the minimization is interrupted.
func (m *minimizer) replay(t *traces.Trace) (*replay.Run, error) {
	return replay.Guarded(m.protocol, t, m.claims, m.opt.Running, m.interrupted)
}

// first makes a replayed run the best one.
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
		m.judge = nil // a single run does not show the violation
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
		m.simplify()
		if m.best == before || m.stopped != "" {
			break
		}
	}
	m.report.Locally = m.stopped == ""
}

// expired reports whether a limit ended the minimization, and records the limit.
func (m *minimizer) expired() bool {
	if !m.late() && m.stopped == "" && m.opt.MaxSteps > 0 && m.steps > m.opt.MaxSteps {
		m.stopped = "steps"
	}
	return m.stopped != ""
}

// late reports whether the minimization was interrupted or timed out, and records this.
func (m *minimizer) late() bool {
	if !m.interrupted() && m.stopped == "" && !m.deadline.IsZero() && time.Now().After(m.deadline) {
		m.stopped = "timeout"
	}
	return m.stopped == "interrupted" || m.stopped == "timeout"
}

// interrupted reports whether the minimization was interrupted, and records this. It is called before each
// step: a step of a program takes milliseconds, and a run may have thousands.
func (m *minimizer) interrupted() bool {
	select {
	case <-m.opt.Interrupt:
		m.stopped = "interrupted"
	default:
	}
	return m.stopped == "interrupted"
}

// try executes a plan, and accepts the run if it breaks the claim and is smaller. If a step misses its event,
// try repeats the plan with narrow matching, and, if thorough, with the oldest events.
func (m *minimizer) try(p plan) bool {
	if m.expired() {
		return false
	}
	r, amiss := m.execute(p)
	if m.accept(r) {
		return true
	}
	ways := []matching{narrow, oldest}
	if !m.thorough {
		ways = ways[:1]
	}
	for _, p.matching = range ways {
		if !amiss || m.expired() {
			return false
		}
		if r, _ = m.execute(p); m.accept(r) {
			return true
		}
	}
	return false
}

// accept makes a run the best one if it is smaller and replays.
func (m *minimizer) accept(r *result) bool {
	m.report.Tried++
	if m.opt.Progress != nil {
		m.opt.Progress(Progress{Pass: m.pass, Steps: len(m.best.records), Tried: m.report.Tried})
	}
	if r == nil || !m.smaller(r) {
		return false
	}
	t, err := r.trace()
	if err != nil {
		return false
	}
	if _, err := m.replay(t); err != nil {
		if !errors.Is(err, replay.ErrStopped) {
			m.report.Refused++
		}
		return false
	}
	m.best, m.trace = r, t
	return true
}

// shortest runs the search for a shorter run. It reports whether to search again, since the passes made the
// configuration of the search's run smaller.
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
		if err := m.adopt(t, another); err != nil {
			return false, err
		}
	}
	if m.trace.Config.String() != searched && m.stopped == "" {
		return true, nil
	}
	m.report.Shortest = found.Limit == "" && found.Trace != nil && len(found.Trace.Steps) == len(m.trace.Steps)
	return false, nil
}

// adopt makes the search's run the best one and minimizes it. If it is interrupted before the replay is over,
// the old best run remains.
func (m *minimizer) adopt(t *traces.Trace, another *Another) error {
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
		return fmt.Errorf("the run of the search does not replay: %w", err)
	}
	m.report.Another = another
	m.fixpoint()
	return nil
}
