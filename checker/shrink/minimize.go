package shrink

import (
	"errors"
	"fmt"
	"time"

	"contend/checker/exhaustive"
	"contend/checker/minimize"
	"contend/checker/record"
	"contend/checker/verdict"
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
func Minimize(p *model.Protocol, t *traces.Trace, opt verdict.Options, schedules int, told func(minimize.Progress)) (*traces.Trace, minimize.Report, error) {
	return minimized(p, t, opt, schedules, minimize.Options{Progress: told})
}

func minimized(p *model.Protocol, t *traces.Trace, opt verdict.Options, schedules int, how minimize.Options) (smallest *traces.Trace, report minimize.Report, err error) {
	began := time.Now()
	w := verdict.NewWatch(&opt, began)
	opt.Progress = nil // of searches and samplings on the way: they have no row
	how.Timeout, how.Interrupt, how.Running = opt.Timeout, opt.Interrupt, w.Cell()
	if opt.MaxStates >= 0 && t.Cost == nil {
		how.Shortest = func(t *traces.Trace) (minimize.Search, error) { return exhaustive.Shortest(p, t, opt, began) }
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
		return t, minimize.Report{From: len(t.Steps), To: len(t.Steps), FromConfig: t.Config, ToConfig: t.Config, Limit: verdict.Stuck}, nil
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
func Sampled(opt verdict.Options, p *model.Protocol, t *traces.Trace, told func(minimize.Progress)) (*traces.Trace, *verdict.Minimized) {
	if opt.NoMinimize {
		return t, nil
	}
	if interrupted(opt) {
		return t, unminimized(t, "the check was interrupted")
	}
	small, r, err := sampledRun(opt, p, t, told)
	if err != nil {
		return t, unminimized(t, model.Printable(err.Error()))
	}
	return small, &verdict.Minimized{From: r.From, To: r.To, Text: r.String(), How: r.How()}
}

// minimizes is minimize with what went wrong. A panic is a bug of the minimiser.
func sampledRun(opt verdict.Options, p *model.Protocol, t *traces.Trace, told func(minimize.Progress)) (small *traces.Trace, r minimize.Report, err error) {
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
func unminimized(t *traces.Trace, why string) *verdict.Minimized {
	n := len(t.Steps)
	return &verdict.Minimized{From: n, To: n, Text: fmt.Sprintf("not minimised: %s, as it was sampled", minimize.Steps(n)), How: "not minimised: " + why}
}

// interrupted reports whether the user has asked to stop.
func interrupted(opt verdict.Options) bool {
	select {
	case <-opt.Interrupt:
		return true
	default:
		return false
	}
}
