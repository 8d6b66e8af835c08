package checker

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"contend/checker/minimize"
	"contend/checker/plan"
	"contend/checker/record"
	"contend/checker/search"
	"contend/checker/watch"
	"contend/model"
	"contend/model/wrapped"
	"contend/traces"
)

// Minimize makes the run of a trace smaller while it breaks the same claim: see [minimize.Minimize]. In the end it searches for the
// shortest run of the configuration that is left, unless MaxStates is negative. If schedules is not 0, it also looks in smaller
// configurations for other runs that break the claim, by searches of a few thousand states, and by sampling at most so many schedules
// in each.
//
// Of the options count MaxStates, MaxMemory and Workers, which are the search's, and Timeout, Interrupt and Stuck, which
// are for all of it. Told, unless nil, hears how far it has come. Of a handler that does not return the trace
// comes back as it was, and the limit of the report is [Stuck].
func Minimize(p *model.Protocol, t *traces.Trace, opt Options, schedules int, told func(minimize.Progress)) (*traces.Trace, minimize.Report, error) {
	return minimized(p, t, opt, schedules, minimize.Options{Progress: told})
}

func minimized(p *model.Protocol, t *traces.Trace, opt Options, schedules int, how minimize.Options) (smallest *traces.Trace, report minimize.Report, err error) {
	began := time.Now()
	w := opt.watch(began)
	opt.Progress = nil // of searches and samplings on the way: they have no row
	how.Timeout, how.Interrupt, how.Running = opt.Timeout, opt.Interrupt, w.Cell()
	if opt.MaxStates >= 0 && t.Cost == nil {
		how.Shortest = func(t *traces.Trace) (minimize.Search, error) { return shortest(p, t, opt, began) }
	}
	if schedules > 0 && t.Cost == nil {
		known := record.Refuted(p, t.Claim, t.Variant, t.Config.Model())
		how.AnyRun = func(t *traces.Trace) (minimize.Search, error) {
			if !known && record.Refuted(p, t.Claim, t.Variant, t.Config.Model()) {
				return minimize.Search{}, nil // it breaks there for a reason that is on record, and is another
			}
			return anywhere(p, t, opt, schedules, began, w)
		}
	}
	err = w.Run(func() error {
		is, r, err := minimize.Minimize(p, t, how)
		smallest, report = is, r
		return err
	})
	if errors.As(err, new(watch.Endless)) {
		return t, minimize.Report{From: len(t.Steps), To: len(t.Steps), FromConfig: t.Config, ToConfig: t.Config, Limit: Stuck}, nil
	}
	return smallest, report, err
}

// sampledSteps bounds the minimisation of a run that was sampled: by steps, so that it comes to the same on every machine.
// They take some seconds.
const sampledSteps = 1_000_000

// sampledStates bounds the search that ends it, and sampledSchedules what is sampled in each smaller configuration.
const (
	sampledStates    = 20_000
	sampledSchedules = 64
)

// The same for nodes that are whole programs. A step of one takes hundreds of times as long; and a search of theirs ends in very small
// systems only.
const (
	programSteps     = 30_000
	programSchedules = 16
)

// minimize makes a run that was sampled smaller, unless it is not to be. The run is a violation whatever becomes of that: where the
// minimiser fails the run comes back as it was, with the reason. Told, unless nil, hears how far it has come.
func (opt Options) minimize(p *model.Protocol, t *traces.Trace, told func(minimize.Progress)) (*traces.Trace, *Minimized) {
	if opt.NoMinimize {
		return t, nil
	}
	if opt.interrupted() {
		return t, unminimized(t, "the check was interrupted")
	}
	small, r, err := opt.minimizes(p, t, told)
	if err != nil {
		return t, unminimized(t, model.Printable(err.Error()))
	}
	return small, &Minimized{From: r.From, To: r.To, Text: r.String(), How: r.How()}
}

// minimizes is minimize with what went wrong. A panic is a bug of the minimiser.
func (opt Options) minimizes(p *model.Protocol, t *traces.Trace, told func(minimize.Progress)) (small *traces.Trace, r minimize.Report, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			if crash, is := bug.(watch.Crash); is {
				bug = crash.Panic
			}
			err = fmt.Errorf("internal error: %v; please report this", bug)
		}
	}()
	opt.Timeout, opt.MaxStates = 0, sampledStates
	schedules, how := sampledSchedules, minimize.Options{MaxSteps: sampledSteps, Progress: told}
	s, err := p.System(t.Variant, t.Config.Model())
	if err != nil {
		return nil, r, err
	}
	if len(wrapped.Origins(s)) > 0 {
		opt.MaxStates, schedules, how.MaxSteps = -1, programSchedules, programSteps
	}
	return minimized(p, t, opt, schedules, how)
}

// unminimized says of a run that it is shown as it was found, and why.
func unminimized(t *traces.Trace, why string) *Minimized {
	n := len(t.Steps)
	return &Minimized{From: n, To: n, Text: fmt.Sprintf("not minimised: %s, as it was sampled", steps(n)), How: "not minimised: " + why}
}

// interrupted reports whether the user has asked to stop.
func (opt Options) interrupted() bool {
	select {
	case <-opt.Interrupt:
		return true
	default:
		return false
	}
}

// Minimized says of a counterexample that was found by sampling what the minimiser made of it.
type Minimized struct {
	From int    `json:"from"` // steps
	To   int    `json:"to"`
	Text string `json:"text"` // that, and how the configuration changed
	How  string `json:"how"`  // what is known of its size
}

// goals says why a search does not prove a run the shortest: the run of a claim about a goal shows from where on the goal
// is missed, which need not be on the shortest way.
const goals = "of a claim about a goal"

// shortest searches for the shortest run that breaks the claim of a trace: layer by layer, so that the first that it finds is.
func shortest(p *model.Protocol, t *traces.Trace, opt Options, began time.Time) (minimize.Search, error) {
	claims, name := p.Claims, t.Claim
	if name != model.NoHandlerFails {
		claim, err := p.Claim(name)
		if err != nil {
			return minimize.Search{}, err
		}
		claims = plan.Undivided([]model.Claim{claim})
	}
	check := model.Check{Variant: t.Variant, Config: t.Config.Model(), Reading: t.Reading(), AssumeAnyway: true}
	if f := check.Config.Faults; check.Reading == model.Dense && (f.Duplication > 0 || f.Restarts > 0) {
		check.Reading = model.Grid // dense time does not read these
	}
	of, err := plan.Whole(p, check, claims)
	if err != nil {
		return minimize.Search{}, err
	}
	if len(of.Met()) == 0 || slices.ContainsFunc(of.Claims, func(c plan.Claim) bool { return c.Idle }) {
		return minimize.Search{Limit: NothingClaimed}, nil
	}
	found := minimize.Search{By: "search"}
	for _, reductions := range [][]string{nil, {"symmetry", "clients", "merging"}} {
		if opt.Timeout > 0 {
			if opt.Timeout -= time.Since(began); opt.Timeout <= 0 {
				found.Limit = search.Timeout
				break
			}
			began = time.Now()
		}
		x, err := newExhaustive(of, newRow(of), Options{Reduce: reductions, MaxStates: opt.MaxStates, MaxMemory: opt.MaxMemory, Timeout: opt.Timeout,
			Workers: opt.Workers, Interrupt: opt.Interrupt, Stuck: opt.Stuck})
		if err != nil {
			return found, err
		}
		again, err := x.shorter(&found, name)
		if err != nil {
			return found, err
		}
		if !again {
			break
		}
	}
	if found.Limit == "" && len(claims) > 0 && claims[0].HasGoal() {
		found.Limit = goals
	}
	if found.Limit == "" && t.Reading() != check.Reading {
		found.Limit = "the grid has not all times"
	}
	return found, nil
}

// shorter searches for the run, and writes into found what comes of it. It reports whether other reductions may find a shorter run.
func (x *exhaustive) shorter(found *minimize.Search, name string) (again bool, err error) {
	claim := slices.IndexFunc(x.claims, func(c model.Claim) bool { return c.Name == name })
	if claim < 0 {
		claim = len(x.claims)
	}
	res, err := x.search()
	if _, stuck := err.(watch.Endless); stuck {
		found.Limit = Stuck
		if t := x.trace(claim); t != nil { // it was found before
			found.Trace, found.Limit = t, ""
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	found.States += res.States
	is, shown := x.claimResult(claim, res)
	if is.Counterexample == nil {
		found.Limit = res.Limit.String()
		if shown && !is.Limit.None() {
			found.Limit = is.Limit.String()
		}
		return false, nil
	}
	if found.Trace, found.Limit = is.Counterexample, ""; is.Steps == len(found.Trace.Steps) {
		return false, nil
	}
	found.Limit = "messages that do nothing count as steps" // of the run, but not of the search
	return true, nil
}
