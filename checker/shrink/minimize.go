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

// Minimize makes the run of a trace smaller while it breaks the same claim: see [minimize.Minimize]. At the end it
// searches for the shortest run of the remaining configuration, unless MaxStates is negative. If schedules is not
// 0, it also looks for other runs that break the claim, in smaller configurations. It does so by searches of a few
// thousand states, and by at most this number of sampled schedules in each.
//
// It uses the options MaxStates, MaxMemory and Workers for the searches, and Timeout, Interrupt, Patience and Stuck
// for the whole minimization. It calls progress, unless nil, repeatedly. If a handler does not return, it returns
// the original trace, and the limit of the report is [verdict.Stuck].
func Minimize(p *model.Protocol, t *traces.Trace, opt verdict.Options, schedules int, progress func(minimize.Progress)) (*traces.Trace, minimize.Report, error) {
	return run(p, t, opt, schedules, minimize.Options{Progress: progress})
}

// run minimizes with the options of package minimize. It adds the searches, and the limits that are in opt.
func run(p *model.Protocol, t *traces.Trace, opt verdict.Options, schedules int, passes minimize.Options) (smallest *traces.Trace, report minimize.Report, err error) {
	began := time.Now()
	w := verdict.NewWatch(&opt, began)
	opt.Progress = nil // the searches and samplings have no row
	passes.Timeout, passes.Interrupt, passes.Running = opt.Timeout, opt.Interrupt, w.Cell()
	if opt.MaxStates >= 0 && t.Cost == nil {
		passes.Shortest = func(t *traces.Trace) (minimize.Search, error) { return exhaustive.Shortest(p, t, opt, began) }
	}
	if schedules > 0 && t.Cost == nil {
		known := record.Refuted(p, t.Claim, t.Variant, t.Config.Model())
		passes.AnyRun = func(t *traces.Trace) (minimize.Search, error) {
			if !known && record.Refuted(p, t.Claim, t.Variant, t.Config.Model()) {
				return minimize.Search{}, nil // a recorded finding breaks the claim there
			}
			return anywhere(p, t, opt, schedules, began, w)
		}
	}
	err = w.Run(func() error {
		is, r, err := minimize.Minimize(p, t, passes)
		smallest, report = is, r
		return err
	})
	if errors.As(err, new(watch.Endless)) {
		return t, minimize.Report{From: len(t.Steps), To: len(t.Steps), FromConfig: t.Config, ToConfig: t.Config, Limit: verdict.Stuck}, nil
	}
	return smallest, report, err
}

// sampledSteps is the maximum number of candidates' steps in the minimization of a sampled run, some seconds. A
// number of steps has the same result on all machines.
const sampledSteps = 1_000_000

// sampledStates is the maximum number of states of its last search, and sampledSchedules the maximum number of
// schedules in each smaller configuration.
const (
	sampledStates    = 20_000
	sampledSchedules = 64
)

// The same for nodes that are whole programs. Their steps take hundreds of times as long, and only very small systems
// can be searched.
const (
	programSteps     = 30_000
	programSchedules = 16
)

// Sampled makes a sampled run smaller, unless the options exclude it. If the minimization fails, it returns the
// original run, with the reason: the run is a violation in any case. It calls progress, unless nil, repeatedly.
func Sampled(opt verdict.Options, p *model.Protocol, t *traces.Trace, progress func(minimize.Progress)) (*traces.Trace, *verdict.Minimized) {
	if opt.NoMinimize {
		return t, nil
	}
	if interrupted(opt) {
		return t, unminimized(t, "the check was interrupted")
	}
	small, r, err := minimizeSampled(opt, p, t, progress)
	if err != nil {
		return t, unminimized(t, model.Printable(err.Error()))
	}
	return small, &verdict.Minimized{From: r.From, To: r.To, Text: r.String(), How: r.How()}
}

// minimizeSampled is [Sampled] with the error of the minimization. A panic is a bug of the minimizer, and becomes
// an error.
func minimizeSampled(opt verdict.Options, p *model.Protocol, t *traces.Trace, progress func(minimize.Progress)) (small *traces.Trace, r minimize.Report, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			if crash, is := bug.(watch.Crash); is {
				bug = crash.Panic
			}
			err = fmt.Errorf("internal error: %v; please report this", bug)
		}
	}()
	opt.Timeout, opt.MaxStates = 0, sampledStates
	schedules, passes := sampledSchedules, minimize.Options{MaxSteps: sampledSteps, Progress: progress}
	s, err := p.System(t.Variant, t.Config.Model())
	if err != nil {
		return nil, r, err
	}
	if len(wrapped.Origins(s)) > 0 {
		opt.MaxStates, schedules, passes.MaxSteps = -1, programSchedules, programSteps
	}
	return run(p, t, opt, schedules, passes)
}

// unminimized returns the description of a run that was not minimized, with the reason.
func unminimized(t *traces.Trace, why string) *verdict.Minimized {
	n := len(t.Steps)
	return &verdict.Minimized{From: n, To: n, Text: fmt.Sprintf("not minimised: %s, as it was sampled", minimize.Steps(n)), How: "not minimised: " + why}
}

// interrupted reports whether the check is interrupted.
func interrupted(opt verdict.Options) bool {
	select {
	case <-opt.Interrupt:
		return true
	default:
		return false
	}
}
